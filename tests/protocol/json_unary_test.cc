#include "protocol/json_unary.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "protocol/demo_rules.h"
#include "protocol/json_request.h"

namespace transom {
namespace {

std::unique_ptr<RequestMessages> one_message(const TranscodeRules& rules) {
  return std::make_unique<JsonRequest>(rules, RequestBindings());
}

// Runs what the replica sent through to client bytes; the first failure stops it.
Status convert_all(ClientProtocol& protocol, std::string& out) {
  while (std::optional<Conversion> next = protocol.next_response()) {
    if (Status status = next->run(out, nullptr); !status.ok()) {
      return status;
    }
    protocol.on_response_converted(*next);
  }
  return {};
}

TEST(JsonUnaryTest, OneMessageIsAnsweredWithItsTrailersInTheHead) {
  const DemoRules demo;
  JsonUnary unary(demo.rules, one_message(demo.rules));
  ASSERT_TRUE(unary.on_call_head({}).ok());
  ASSERT_TRUE(unary.on_call_bytes(framed(kHi)).ok());
  std::string out;
  ASSERT_TRUE(convert_all(unary, out).ok());
  EXPECT_EQ(out, R"({"text":"hi"})");
  EXPECT_FALSE(unary.answer_head().has_value());  // the status is not known yet
  const AnswerEnd end = unary.on_call_end(ended(), false);
  ASSERT_TRUE(end.head.has_value());
  EXPECT_EQ(end.head->status, 200);
  EXPECT_EQ(end.head->content_type, "application/json");
  EXPECT_TRUE(end.trailers_in_head);
  EXPECT_TRUE(end.bytes.empty());
}

TEST(JsonUnaryTest, AnythingButOneMessageIsInternal) {
  const struct {
    const char* what;
    std::string bytes;
  } cases[] = {
      {"none", ""},
      {"two", framed(kHi) + framed(kHo)},
      {"one and the beginning of another", framed(kHi) + framed(kHo).substr(0, 2)},
      {"a part of one", framed(kHi).substr(0, 6)},
      {"an unknown flag", "\7" + framed(kHi).substr(1)},
  };
  for (const auto& row : cases) {
    const DemoRules demo;
    JsonUnary unary(demo.rules, one_message(demo.rules));
    ASSERT_TRUE(unary.on_call_head({}).ok());
    Status status = unary.on_call_bytes(row.bytes);
    std::string out;
    if (status.ok()) {
      status = convert_all(unary, out);
    }
    if (status.ok()) {
      status = unary.on_call_end(ended(), false).status;
    }
    EXPECT_EQ(status.code, Code::Internal) << row.what;
    EXPECT_EQ(status.fault, Fault::Replica) << row.what;
  }
}

TEST(JsonUnaryTest, ACallThatFailedIsItsErrorEvenAfterAMessage) {
  const DemoRules demo;
  JsonUnary unary(demo.rules, one_message(demo.rules));
  ASSERT_TRUE(unary.on_call_bytes(framed(kHi)).ok());
  std::string out;
  ASSERT_TRUE(convert_all(unary, out).ok());
  const AnswerEnd end = unary.on_call_end(ended(replica_error(Code::NotFound, "gone")), false);
  EXPECT_EQ(end.head->status, 404);
  EXPECT_EQ(end.bytes, R"({"code":5,"message":"gone","details":[]})");
  EXPECT_EQ(end.status.code, Code::NotFound);
}

TEST(JsonUnaryTest, AnHttpBodyIsAnsweredUnderItsOwnType) {
  const DemoRules demo("google.api.HttpBody");
  JsonUnary unary(demo.rules, one_message(demo.rules));
  ASSERT_TRUE(unary.on_call_bytes(framed("\x0a\x09text/html\x12\x03<p>")).ok());
  std::string out;
  ASSERT_TRUE(convert_all(unary, out).ok());
  EXPECT_EQ(out, "<p>");
  EXPECT_EQ(unary.on_call_end(ended(), false).head->content_type, "text/html");
}

}  // namespace
}  // namespace transom
