#include "base/status.h"

#include <gtest/gtest.h>

namespace transom {
namespace {

TEST(Status, MapsEveryCodeToItsHttpStatus) {
  // google/rpc/code.proto
  constexpr uint16_t expected[] = {200, 499, 500, 400, 504, 404, 409, 403, 429, 400, 409, 400, 501, 500, 503, 500, 401};
  for (int code = 0; code <= 16; ++code) {
    EXPECT_EQ(http_status_of(static_cast<Code>(code)), expected[code]) << code;
    EXPECT_FALSE(code_name(static_cast<Code>(code)).empty());
  }
  EXPECT_EQ(http_status_of(static_cast<Code>(17)), 500);
  EXPECT_EQ(http_status_of(static_cast<Code>(-1)), 500);
  EXPECT_EQ(code_name(static_cast<Code>(99)), "");
}

TEST(Status, ARefusalsOwnHttpStatusWins) {
  EXPECT_EQ(http_status_of(client_error(Code::Unimplemented, "no such method", 405)), 405);
  EXPECT_EQ(http_status_of(client_error(Code::Unimplemented, "no such method")), 501);
}

TEST(Result, HoldsAValueOrAFailure) {
  Result<int> good = 5;
  EXPECT_TRUE(good.ok());
  EXPECT_EQ(*good, 5);
  Result<int> bad = replica_error(Code::Unavailable, "gone");
  ASSERT_FALSE(bad.ok());
  EXPECT_EQ(bad.status().fault, Fault::Replica);
  EXPECT_EQ(bad.status().message, "gone");
}

}  // namespace
}  // namespace transom
