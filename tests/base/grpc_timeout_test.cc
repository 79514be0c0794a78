#include "base/grpc_timeout.h"

#include <gtest/gtest.h>

namespace transom {
namespace {

using std::chrono::nanoseconds;

TEST(GrpcTimeout, ParsesEveryUnit) {
  const struct {
    const char* text;
    int64_t expected;
  } rows[] = {{"1n", 1}, {"2u", 2'000}, {"3m", 3'000'000}, {"4S", 4'000'000'000}, {"5M", 300'000'000'000},
              {"6H", 21'600'000'000'000}, {"0S", 0}, {"99999999H", INT64_MAX}};
  for (const auto& row : rows) {
    auto parsed = parse_grpc_timeout(row.text);
    ASSERT_TRUE(parsed.ok()) << row.text;
    EXPECT_EQ(parsed->count(), row.expected) << row.text;
  }
}

TEST(GrpcTimeout, RefusesEverythingElse) {
  for (const char* text : {"", "zz", "-5S", "1", "S", "1.5S", "999999999S", "1s", " 1S", "1S ", "+1S", "0x1S"}) {
    auto parsed = parse_grpc_timeout(text);
    ASSERT_FALSE(parsed.ok()) << text;
    EXPECT_EQ(parsed.status().code, Code::InvalidArgument) << text;
    EXPECT_EQ(parsed.status().fault, Fault::Client) << text;
  }
}

TEST(GrpcTimeout, FormatsInAtMostEightDigitsAndNeverRoundsUp) {
  for (int64_t n : {1L, 99'999'999L, 100'000'000L, 2'000'000'001L, 30'000'000'000L, INT64_MAX}) {
    std::string text = format_grpc_timeout(nanoseconds(n));
    ASSERT_LE(text.size(), 9U);
    auto back = parse_grpc_timeout(text);
    ASSERT_TRUE(back.ok()) << text;
    EXPECT_LE(back->count(), n) << text;
    EXPECT_GE(static_cast<double>(back->count()), static_cast<double>(n) * (1 - 1e-5)) << text;
  }
  EXPECT_EQ(format_grpc_timeout(nanoseconds(0)), "0n");
  EXPECT_EQ(format_grpc_timeout(nanoseconds(-5)), "0n");
}

}  // namespace
}  // namespace transom
