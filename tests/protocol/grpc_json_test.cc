#include "protocol/grpc_json.h"

#include <gtest/gtest.h>

#include <string>

#include "protocol/demo_rules.h"

namespace transom {
namespace {

TEST(GrpcJsonTest, FramesOfJsonBecomeFramesOfProtobufAndBack) {
  const DemoRules demo;
  GrpcJson protocol(demo.rules, "application/grpc+json", "");
  const std::string in = framed(R"({"text":"hi"})") + framed(R"({"text":"ho"})");
  ASSERT_TRUE(protocol.on_request_bytes(in.substr(0, 9)).ok());
  ASSERT_TRUE(protocol.on_request_bytes(in.substr(9)).ok());
  ASSERT_TRUE(protocol.on_request_end().ok());
  std::string out;
  while (auto next = protocol.next_request()) {
    EXPECT_TRUE(next->run(out, nullptr).ok());
  }
  EXPECT_EQ(out, framed(kHi) + framed(kHo));
  EXPECT_TRUE(protocol.is_request_done());

  ASSERT_TRUE(protocol.on_call_head({}).ok());
  EXPECT_EQ(protocol.answer_head()->content_type, "application/grpc+json");
  ASSERT_TRUE(protocol.on_call_bytes(framed(kHo)).ok());
  out.clear();
  EXPECT_TRUE(protocol.next_response()->run(out, nullptr).ok());
  EXPECT_EQ(out, framed(R"({"text":"ho"})"));
  const AnswerEnd end = protocol.on_call_end(ended(), true);
  EXPECT_EQ(end.fields.find("grpc-status"), "0");
  EXPECT_FALSE(end.head.has_value());
}

TEST(GrpcJsonTest, WhatIsWrongWithTheRequestIsTheClientsFault) {
  const DemoRules demo;
  GrpcJson flag(demo.rules, "application/grpc+json", "");
  EXPECT_EQ(flag.on_request_bytes(std::string("\x07\0\0\0\0", 5)).code, Code::InvalidArgument);

  GrpcJson cut(demo.rules, "application/grpc+json", "");
  ASSERT_TRUE(cut.on_request_bytes(framed("{}").substr(0, 6)).ok());
  EXPECT_EQ(cut.on_request_end().code, Code::InvalidArgument);

  DemoRules small;
  small.limits.request_body = 4;
  GrpcJson large(small.rules, "application/grpc+json", "");
  EXPECT_EQ(large.on_request_bytes(framed("{    }")).code, Code::ResourceExhausted);

  GrpcJson broken(demo.rules, "application/grpc+json", "");
  ASSERT_TRUE(broken.on_request_bytes(framed("{}") + framed("{]")).ok());
  std::string out;
  EXPECT_TRUE(broken.next_request()->run(out, nullptr).ok());
  const Status status = broken.next_request()->run(out, nullptr);
  EXPECT_EQ(status.code, Code::InvalidArgument);
  EXPECT_EQ(status.message.rfind("message 2: ", 0), 0u) << status.message;
}

TEST(GrpcJsonTest, CompressedMessagesAreInflatedWithinTheBound) {
  DemoRules demo;
  std::string packed;
  gzip_bytes(R"({"text":"hi"})", packed);
  GrpcJson protocol(demo.rules, "application/grpc+json", "gzip");
  ASSERT_TRUE(protocol.on_request_bytes(framed(packed, true)).ok());
  std::string out;
  EXPECT_TRUE(protocol.next_request()->run(out, nullptr).ok());
  EXPECT_EQ(out, framed(kHi));

  GrpcJson unknown(demo.rules, "application/grpc+json", "snappy");
  ASSERT_TRUE(unknown.on_request_bytes(framed(packed, true)).ok());
  EXPECT_EQ(unknown.next_request()->run(out, nullptr).code, Code::Unimplemented);

  std::string bomb;
  gzip_bytes(std::string(1'000'000, ' '), bomb);
  demo.limits.request_body = 100'000;
  GrpcJson bounded(demo.rules, "application/grpc+json", "gzip");
  ASSERT_TRUE(bounded.on_request_bytes(framed(bomb, true)).ok());
  EXPECT_EQ(bounded.next_request()->run(out, nullptr).code, Code::ResourceExhausted);
}

TEST(GrpcJsonTest, AFailureBeforeTheHeadIsTrailersOnly) {
  const DemoRules demo;
  GrpcJson protocol(demo.rules, "application/grpc+json", "");
  const AnswerEnd end = protocol.on_call_end(ended(client_error(Code::NotFound, "no model")), false);
  ASSERT_TRUE(end.head.has_value());
  EXPECT_EQ(end.head->status, 200);
  EXPECT_TRUE(end.trailers_in_head);
  EXPECT_EQ(end.fields.find("grpc-status"), "5");
}

}  // namespace
}  // namespace transom
