#include "control/reflection_stream.h"

#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>

#include <mutex>
#include <optional>
#include <vector>

namespace transom {
namespace {

const char* method_of(ReflectionVersion version) {
  return version == ReflectionVersion::V1 ? "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo"
                                          : "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo";
}

grpc::ByteBuffer to_buffer(const std::string& bytes) {
  const grpc::Slice slice(bytes);
  return {&slice, 1};
}

std::string to_bytes(const grpc::ByteBuffer& buffer) {
  std::vector<grpc::Slice> slices;
  std::string bytes;
  if (buffer.Dump(&slices).ok()) {
    for (const grpc::Slice& slice : slices) {
      bytes.append(reinterpret_cast<const char*>(slice.begin()), slice.size());
    }
  }
  return bytes;
}

std::shared_ptr<grpc::Channel> make_channel(const std::string& address, const ReflectionLimits& limits) {
  grpc::ChannelArguments arguments;
  // A shared subchannel would wait out the back-off of an earlier attempt; a proxy of the environment is not meant
  // here.
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  arguments.SetMaxReceiveMessageSize(static_cast<int>(limits.bytes));
  return grpc::CreateCustomChannel(address, grpc::InsecureChannelCredentials(), arguments);
}

}  // namespace

struct ReflectionStream::Call {
  grpc::ClientContext client;
  grpc::CompletionQueue queue;
  std::unique_ptr<grpc::GenericClientAsyncReaderWriter> stream;

  // Waits for the one operation that is open.
  bool wait() {
    void* tag = nullptr;
    bool is_ok = false;
    return queue.Next(&tag, &is_ok) && is_ok;
  }

  ~Call() {
    client.TryCancel();
    queue.Shutdown();
    void* tag = nullptr;
    bool is_ok = false;
    while (queue.Next(&tag, &is_ok)) {
    }
  }
};

struct ReflectionStream::Channel {
  std::shared_ptr<grpc::Channel> channel;
  std::chrono::system_clock::time_point deadline;
  std::mutex mutex;  // guards `call` against cancel()
  bool is_cancelled = false;
  std::unique_ptr<Call> call;
  bool has_started = false;
  std::optional<Status> end;  // of a call that is over; a call may be finished once only
};

ReflectionStream::ReflectionStream(const std::string& address, const ReflectionLimits& limits)
    : channel_(std::make_unique<Channel>()) {
  channel_->channel = make_channel(address, limits);
  channel_->deadline = std::chrono::system_clock::now() + limits.timeout;
}

ReflectionStream::~ReflectionStream() = default;

void ReflectionStream::open(ReflectionVersion version) {
  auto call = std::make_unique<Call>();
  call->client.set_deadline(channel_->deadline);
  call->stream = grpc::GenericStub(channel_->channel).PrepareCall(&call->client, method_of(version), &call->queue);
  const std::scoped_lock lock(channel_->mutex);
  channel_->call.swap(call);
  channel_->has_started = false;
  channel_->end.reset();
  if (channel_->is_cancelled) {
    channel_->call->client.TryCancel();
  }
}

Result<ReflectionAnswer> ReflectionStream::ask(ReflectionQuery query, const std::string& argument) {
  if (channel_->end.has_value()) {
    return *channel_->end;
  }
  Call& call = *channel_->call;
  bool holds = true;
  if (!channel_->has_started) {
    channel_->has_started = true;
    call.stream->StartCall(nullptr);
    holds = call.wait();
  }
  if (holds) {
    call.stream->Write(to_buffer(encode_reflection_request(query, argument)), nullptr);
    holds = call.wait();
  }
  grpc::ByteBuffer answer;
  if (holds) {
    call.stream->Read(&answer, nullptr);
    holds = call.wait();
  }
  if (holds) {
    return parse_reflection_response(to_bytes(answer));
  }
  grpc::Status status;
  call.stream->Finish(&status, nullptr);
  call.wait();
  channel_->end = status.ok() ? replica_error(Code::Internal, "the call ended before its answer")
                              : replica_error(static_cast<Code>(status.error_code()), status.error_message());
  return *channel_->end;
}

void ReflectionStream::cancel() {
  const std::scoped_lock lock(channel_->mutex);
  channel_->is_cancelled = true;
  if (channel_->call != nullptr) {
    channel_->call->client.TryCancel();
  }
}

}  // namespace transom
