#include "embed/failure.h"

#include <gtest/gtest.h>

namespace transom {
namespace {

TEST(FailureOf, KeepsCodeAndMessage) {
  const Failure failure = failure_of(client_error(Code::InvalidArgument, "what is wrong"));
  EXPECT_EQ(failure.code, 3);
  EXPECT_EQ(failure.http_status, 400);
  EXPECT_EQ(failure.message, "what is wrong");
  EXPECT_EQ(failure.allow, "");
}

TEST(FailureOf, KeepsAStatusOfItsOwn) {
  EXPECT_EQ(failure_of(client_error(Code::ResourceExhausted, "too much", 413)).http_status, 413);
  EXPECT_EQ(failure_of(client_error(Code::ResourceExhausted, "too often")).http_status, 429);
}

TEST(Expected, IsAValueOrAFailure) {
  const Expected<std::string> value("x");
  const Expected<std::string> failure(Failure{.code = 5, .http_status = 404, .message = "no", .allow = ""});
  EXPECT_TRUE(value.has_value());
  EXPECT_EQ(*value, "x");
  EXPECT_EQ(value->size(), 1u);
  EXPECT_THROW(value.failure(), std::bad_variant_access);
  EXPECT_FALSE(failure);
  EXPECT_EQ(failure.failure().code, 5);
  EXPECT_THROW(failure.value(), std::bad_variant_access);
}

}  // namespace
}  // namespace transom
