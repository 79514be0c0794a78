#include "control/reflection_stream.h"

#include <google/protobuf/unknown_field_set.h>
#include <grpcpp/generic/async_generic_service.h>
#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace transom {
namespace {

// A grpc++ server that answers every question of the v1 service with the same bytes, or never.
class FixedReflection : public grpc::CallbackGenericService {
 public:
  explicit FixedReflection(std::string answer, bool is_silent = false)
      : answer_(std::move(answer)), is_silent_(is_silent) {
    grpc::ServerBuilder builder;
    builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port_);
    builder.RegisterCallbackGenericService(this);
    server_ = builder.BuildAndStart();
  }
  ~FixedReflection() override { server_->Shutdown(std::chrono::system_clock::now()); }

  std::string address() const { return "127.0.0.1:" + std::to_string(port_); }

  grpc::ServerGenericBidiReactor* CreateReactor(grpc::GenericCallbackServerContext* call) override {
    auto* reactor = new Reactor(*this);
    if (call->method() != "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo") {
      reactor->finish(grpc::Status(grpc::StatusCode::UNIMPLEMENTED, "only v1"));
    } else {
      reactor->StartRead(&reactor->question);
    }
    return reactor;
  }

 private:
  struct Reactor : grpc::ServerGenericBidiReactor {
    explicit Reactor(const FixedReflection& owner) : owner(owner) {}
    void OnReadDone(bool ok) override {
      if (!ok) {
        finish(grpc::Status::OK);
      } else if (!owner.is_silent_) {
        const grpc::Slice slice(owner.answer_);
        answer = grpc::ByteBuffer(&slice, 1);
        StartWrite(&answer);
      }
    }
    void OnWriteDone(bool ok) override {
      if (ok) {
        StartRead(&question);
      }
    }
    void OnCancel() override {
      if (owner.is_silent_) {
        finish(grpc::Status::CANCELLED);
      }
    }
    void OnDone() override { delete this; }

    // A cancel and a failed read may come at once, on two threads; a call is finished once.
    void finish(const grpc::Status& status) {
      if (!is_finished.exchange(true)) {
        Finish(status);
      }
    }

    const FixedReflection& owner;
    std::atomic<bool> is_finished = false;
    grpc::ByteBuffer question;
    grpc::ByteBuffer answer;
  };

  std::string answer_;
  bool is_silent_;
  int port_ = 0;
  std::unique_ptr<grpc::Server> server_;
};

std::string field(int number, const std::string& bytes) {
  google::protobuf::UnknownFieldSet fields;
  fields.AddLengthDelimited(number, bytes);
  std::string out;
  fields.SerializeToString(&out);
  return out;
}

TEST(ReflectionStream, AsksTheV1ServiceMoreThanOnce) {
  FixedReflection server(field(6, field(1, field(1, "a.Svc")) + field(1, field(1, "b.Svc"))));
  ReflectionStream stream(server.address(), {});
  stream.open(ReflectionVersion::V1);
  for (int i = 0; i < 2; ++i) {
    auto answer = stream.ask(ReflectionQuery::ListServices, "");
    ASSERT_TRUE(answer.ok()) << answer.status().message;
    EXPECT_EQ(answer->services, (std::vector<std::string>{"a.Svc", "b.Svc"}));
  }
}

TEST(ReflectionStream, ReportsTheCallsOwnStatus) {
  FixedReflection server("");
  ReflectionStream stream(server.address(), {});
  stream.open(ReflectionVersion::V1Alpha);
  for (int i = 0; i < 2; ++i) {
    auto answer = stream.ask(ReflectionQuery::ListServices, "");
    ASSERT_FALSE(answer.ok());
    EXPECT_EQ(answer.status().code, Code::Unimplemented);
    EXPECT_EQ(answer.status().message, "only v1");
  }
}

TEST(ReflectionStream, RefusesAnAnswerThatIsNoMessage) {
  FixedReflection server("\x07\xff");
  ReflectionStream stream(server.address(), {});
  stream.open(ReflectionVersion::V1);
  auto answer = stream.ask(ReflectionQuery::ListServices, "");
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.status().code, Code::Internal);
}

TEST(ReflectionStream, GivesUpAtItsDeadline) {
  FixedReflection server("", true);
  ReflectionStream stream(server.address(), {.timeout = std::chrono::milliseconds(100)});
  stream.open(ReflectionVersion::V1);
  auto answer = stream.ask(ReflectionQuery::ListServices, "");
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.status().code, Code::DeadlineExceeded);
}

TEST(ReflectionStream, EndsWhenAnotherThreadCancels) {
  FixedReflection server("", true);
  ReflectionStream stream(server.address(), {});
  stream.open(ReflectionVersion::V1);
  std::thread other([&] { stream.cancel(); });
  auto answer = stream.ask(ReflectionQuery::ListServices, "");
  other.join();
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.status().code, Code::Cancelled);
}

}  // namespace
}  // namespace transom
