#include "protocol/grpc_pass_through.h"

#include <gtest/gtest.h>

#include <string>

#include "protocol/demo_rules.h"

namespace transom {
namespace {

std::string take(std::optional<Conversion> conversion) {
  std::string out;
  EXPECT_TRUE(conversion.has_value() && conversion->run(out, nullptr).ok());
  return out;
}

TEST(GrpcPassThroughTest, BytesGoThroughWhateverTheyAre) {
  GrpcPassThrough grpc("application/grpc");
  EXPECT_TRUE(grpc.begins_with_head());
  EXPECT_FALSE(grpc.next_request().has_value());
  ASSERT_TRUE(grpc.on_request_bytes("\x09not a").ok());
  ASSERT_TRUE(grpc.on_request_bytes(" frame").ok());
  EXPECT_EQ(take(grpc.next_request()), "\x09not a frame");
  EXPECT_FALSE(grpc.is_request_done());
  ASSERT_TRUE(grpc.on_request_end().ok());
  EXPECT_TRUE(grpc.is_request_done());
  ASSERT_TRUE(grpc.on_call_bytes("answer").ok());
  EXPECT_EQ(take(grpc.next_response()), "answer");
  EXPECT_FALSE(grpc.next_response().has_value());
}

TEST(GrpcPassThroughTest, TheHeadLeavesWithTheReplicas) {
  GrpcPassThrough grpc("application/grpc+proto");
  EXPECT_FALSE(grpc.answer_head().has_value());
  ASSERT_TRUE(grpc.on_call_head({}).ok());
  ASSERT_TRUE(grpc.answer_head().has_value());
  EXPECT_EQ(grpc.answer_head()->content_type, "application/grpc+proto");
}

TEST(GrpcPassThroughTest, TheStatusStandsInTheTrailersOrInTheOnlyHead) {
  GrpcPassThrough grpc("application/grpc");
  const AnswerEnd late = grpc.on_call_end(ended(replica_error(Code::Aborted, "a%b")), true);
  EXPECT_FALSE(late.head.has_value());
  EXPECT_FALSE(late.trailers_in_head);
  EXPECT_FALSE(late.abort);
  EXPECT_EQ(late.fields.find("grpc-status"), "10");
  EXPECT_EQ(late.fields.find("grpc-message"), "a%25b");

  const AnswerEnd only = grpc.on_call_end(ended(), false);
  ASSERT_TRUE(only.head.has_value());
  EXPECT_EQ(only.head->status, 200);
  EXPECT_TRUE(only.trailers_in_head);
  EXPECT_EQ(only.fields.find("grpc-status"), "0");
}

TEST(GrpcPassThroughTest, AnAnswerThatIsNotGrpcsHasTheCodeOfItsHttpStatus) {
  for (const auto& [http_status, code] : std::vector<std::pair<int, std::string>>{{431, "2"}, {400, "13"}, {0, "13"}}) {
    GrpcPassThrough grpc("application/grpc");
    CallEnd end = ended(replica_error(Code::Internal, "answered with something else"));
    end.foreign_status = http_status;
    EXPECT_EQ(grpc.on_call_end(end, false).fields.find("grpc-status"), code) << http_status;
  }
}

}  // namespace
}  // namespace transom
