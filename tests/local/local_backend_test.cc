#include "local/local_backend.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "local/local_bench.h"
#include "protocol/grpc_frame.h"
#include "support/call_record.h"
#include "support/loop_runner.h"

namespace transom {
namespace {

using testing::HasSubstr;

std::string framed(const std::string& message) {
  std::string frame;
  const size_t at = begin_grpc_frame(frame);
  frame += message;
  end_grpc_frame(frame, at);
  return frame;
}

class LocalBackendTest : public testing::Test {
 protected:
  LocalBackendTest() {
    backend_.use(std::make_shared<const ServedServices>(
        std::vector<ServedService>{{std::string(kHealthService), {}, local_schema()}}));
  }

  // One message and its answer, without the prefix.
  std::string call(const std::string& path, const std::string& message) {
    CallRecord record;
    CallHead head;
    head.path = path;
    record.call = backend_.start(head, record);
    record.call->send(framed(message), true);
    EXPECT_TRUE(run_until(loop_, [&] { return record.has_ended(); }));
    EXPECT_EQ(record.call->replica(), "");
    return record.end.status.ok() ? record.received.substr(kGrpcPrefixBytes)
                                  : std::string(code_name(record.end.status.code));
  }

  Loop loop_;
  LocalMessages messages_;
  Readiness readiness_{ReadyRule::None};
  LocalBackend backend_{loop_, readiness_, 64 * kKiB};
};

TEST_F(LocalBackendTest, BothVersionsOfReflectionTellOfTheSameServices) {
  for (const std::string version : {"v1", "v1alpha"}) {
    const std::string package = "grpc.reflection." + version + ".";
    const std::string answer = call("/" + package + "ServerReflection/ServerReflectionInfo",
                                    messages_.encode(package + "ServerReflectionRequest", "list_services: \"\""));
    EXPECT_THAT(messages_.decode(package + "ServerReflectionResponse", answer),
                HasSubstr("list_services_response { service { name: \"grpc.health.v1.Health\" } }"));
  }
}

TEST_F(LocalBackendTest, HealthIsThatOfReadiness) {
  const std::string path = "/" + std::string(kHealthService) + "/Check";
  EXPECT_EQ(messages_.decode("grpc.health.v1.HealthCheckResponse", call(path, "")), "status: SERVING");
  readiness_.set_draining();
  EXPECT_EQ(messages_.decode("grpc.health.v1.HealthCheckResponse", call(path, "")), "status: NOT_SERVING");
}

TEST_F(LocalBackendTest, EachMethodOfItsSchemaIsAnswered) {
  for (const MethodPlan& method : local_schema()->methods()) {
    EXPECT_NE(call(method.path, "\x7f"), "UNIMPLEMENTED") << method.path;
  }
  EXPECT_EQ(call("/a.B/C", ""), "UNIMPLEMENTED");
}

}  // namespace
}  // namespace transom
