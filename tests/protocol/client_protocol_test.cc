#include "protocol/client_protocol.h"

#include <gtest/gtest.h>

namespace transom {
namespace {

TEST(ClientProtocolTest, AJsonFailureHasItsHttpStatusAndBody) {
  const AnswerEnd end = json_failure(client_error(Code::ResourceExhausted, "too big", 413), ErrorForm::Status, nullptr, {});
  ASSERT_TRUE(end.head.has_value());
  EXPECT_EQ(end.head->status, 413);
  EXPECT_EQ(end.head->content_type, "application/json");
  EXPECT_EQ(end.bytes, R"({"code":8,"message":"too big","details":[]})");
  EXPECT_FALSE(end.abort);
  const AnswerEnd problem = json_failure(proxy_error(Code::Internal, "x"), ErrorForm::Problem, nullptr, {});
  EXPECT_EQ(problem.head->content_type, "application/problem+json");
}

TEST(ClientProtocolTest, AGrpcFailureIsOneHeadWithTheStatus) {
  const AnswerEnd end = grpc_failure(proxy_error(Code::Unavailable, "none is up"), "application/grpc+proto");
  ASSERT_TRUE(end.head.has_value());
  EXPECT_EQ(end.head->status, 200);
  EXPECT_EQ(end.head->content_type, "application/grpc+proto");
  EXPECT_EQ(end.fields.find("grpc-status"), "14");
  EXPECT_EQ(end.fields.find("grpc-message"), "none is up");
  EXPECT_TRUE(end.trailers_in_head);
  EXPECT_TRUE(end.bytes.empty());
  EXPECT_FALSE(end.has_length);
}

}  // namespace
}  // namespace transom
