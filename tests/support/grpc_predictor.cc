#include "support/grpc_predictor.h"

#include <grpcpp/generic/async_generic_service.h>
#include <grpcpp/grpcpp.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <mutex>

namespace transom {
namespace {

std::string text_of(const grpc::ByteBuffer& buffer) {
  std::vector<grpc::Slice> slices;
  buffer.Dump(&slices);
  std::string text;
  for (const grpc::Slice& slice : slices) {
    text.append(reinterpret_cast<const char*>(slice.begin()), slice.size());
  }
  return text;
}

grpc::ByteBuffer buffer_of(const std::string& text) {
  grpc::Slice slice(text);
  return grpc::ByteBuffer(&slice, 1);
}

struct Counts {
  std::atomic<uint64_t> calls{0};
  std::atomic<uint64_t> cancelled{0};
};

// One call. gRPC calls its On... functions one after the other, save OnCancel.
class Reactor final : public grpc::ServerGenericBidiReactor {
 public:
  Reactor(Counts& counts, grpc::GenericCallbackServerContext& call)
      : counts_(counts), method_(call.method().substr(call.method().rfind('/') + 1)) {
    ++counts_.calls;
    for (const auto& [name, value] : call.client_metadata()) {
      std::string text(value.data(), value.size());
      if (name == "x-echo") call.AddInitialMetadata("x-echo", text);
      if (name == "x-echo-late") call.AddTrailingMetadata("x-echo-late", text);
    }
    auto left = call.deadline() - std::chrono::system_clock::now();
    if (left < std::chrono::hours(24)) {
      auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(left).count();
      call.AddInitialMetadata("x-timeout-ms", std::to_string(ms));
    }
    begin();
  }

  void OnReadDone(bool ok) override {
    std::string message = ok ? text_of(in_) : "";
    if (method_ == "Echo" && ok) {
      write(message);
    } else if (method_ == "Echo") {
      Finish(grpc::Status::OK);
    } else if (method_ == "Repeat" && ok) {
      std::sscanf(message.c_str(), "%zu %zu", &left_, &size_);
      write_next();
    } else if (method_ == "Count" && ok) {
      count_ += message.size();
      StartRead(&in_);
    } else if (method_ == "Count") {
      write(std::to_string(count_));
    } else if (method_ == "FailLate") {
      write("partial");
    }
  }

  void OnWriteDone(bool ok) override {
    if (!ok) {
      Finish(grpc::Status(grpc::StatusCode::UNKNOWN, "write failed"));
    } else if (method_ == "Echo") {
      StartRead(&in_);
    } else if (method_ == "Repeat") {
      write_next();
    } else if (method_ == "FailLate") {
      Finish(grpc::Status(grpc::StatusCode::FAILED_PRECONDITION, "half way"));
    } else {
      Finish(grpc::Status::OK);
    }
  }

  void OnCancel() override {
    ++counts_.cancelled;
    if (method_ == "Hang") {
      Finish(grpc::Status::CANCELLED);
    }
  }

  void OnDone() override { delete this; }

 private:
  void begin() {
    if (method_ == "Fail") {
      Finish(grpc::Status(grpc::StatusCode::NOT_FOUND, "no model \"é\" 100%\nsorry", "\x08\x05"));
    } else if (method_ == "Echo" || method_ == "Repeat" || method_ == "Count" || method_ == "FailLate") {
      StartRead(&in_);
    } else if (method_ != "Hang") {
      Finish(grpc::Status(grpc::StatusCode::UNIMPLEMENTED, "no such method"));
    }
  }

  void write(const std::string& message) {
    out_ = buffer_of(message);
    StartWrite(&out_);
  }

  void write_next() {
    if (left_ == 0) {
      Finish(grpc::Status::OK);
      return;
    }
    --left_;
    write(std::string(size_, 'r'));
  }

  Counts& counts_;
  const std::string method_;
  grpc::ByteBuffer in_;
  grpc::ByteBuffer out_;
  size_t left_ = 0;
  size_t size_ = 0;
  size_t count_ = 0;
};

class Service final : public grpc::CallbackGenericService {
 public:
  explicit Service(Counts& counts) : counts_(counts) {}
  grpc::ServerGenericBidiReactor* CreateReactor(grpc::GenericCallbackServerContext* call) override {
    return new Reactor(counts_, *call);
  }

 private:
  Counts& counts_;
};

}  // namespace

struct GrpcPredictor::State {
  Counts counts;
  Service service{counts};
  int port = 0;
  std::unique_ptr<grpc::Server> server;
};

GrpcPredictor::GrpcPredictor(int port, int streams_max) : state_(std::make_unique<State>()) {
  grpc::ServerBuilder builder;
  builder.AddListeningPort("127.0.0.1:" + std::to_string(port), grpc::InsecureServerCredentials(), &state_->port);
  builder.SetMaxReceiveMessageSize(-1);
  if (streams_max > 0) {
    builder.AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS, streams_max);
  }
  builder.RegisterCallbackGenericService(&state_->service);
  state_->server = builder.BuildAndStart();
}

GrpcPredictor::~GrpcPredictor() { stop(); }

std::string GrpcPredictor::address() const { return "127.0.0.1:" + std::to_string(port()); }

int GrpcPredictor::port() const { return state_->port; }

void GrpcPredictor::stop() {
  if (state_->server != nullptr) {
    state_->server->Shutdown(std::chrono::system_clock::now() + std::chrono::milliseconds(200));
    state_->server->Wait();
    state_->server.reset();
  }
}

uint64_t GrpcPredictor::calls() const { return state_->counts.calls; }

uint64_t GrpcPredictor::cancelled() const { return state_->counts.cancelled; }

}  // namespace transom
