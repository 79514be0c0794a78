#include "transcode/json_writer.h"

#include <gtest/gtest.h>

#include <limits>

namespace transom {
namespace {

TEST(JsonWriter, StringsAreEscapedWhereTheyMustBe) {
  for (size_t before = 0; before < 40; ++before) {
    std::string text = std::string(before, 'a') + "\"\\\b\f\n\r\t\x01\x1f\x7f/\u00e9" + std::string(before, 'z');
    std::string out = "x";
    JsonWriter writer(out, 1000, 0);
    ASSERT_TRUE(writer.write_string(text));
    writer.finish();
    EXPECT_EQ(out, "x\"" + std::string(before, 'a') + "\\\"\\\\\\b\\f\\n\\r\\t\\u0001\\u001f\x7f/\u00e9" +
                       std::string(before, 'z') + "\"");
  }
}

TEST(JsonWriter, NumbersAreTheirShortestText) {
  std::string out;
  JsonWriter writer(out, 1000, 0);
  ASSERT_TRUE(writer.reserve(400));
  writer.put_double(0.1);
  writer.put(' ');
  writer.put_double(-0.0);
  writer.put(' ');
  writer.put_float(0);
  writer.put(' ');
  writer.put_double(std::numeric_limits<double>::quiet_NaN());
  writer.put(' ');
  writer.put_float(-std::numeric_limits<float>::infinity());
  writer.put(' ');
  writer.put_int(std::numeric_limits<int64_t>::min());
  writer.put(' ');
  writer.put_uint(std::numeric_limits<uint64_t>::max());
  writer.finish();
  EXPECT_EQ(out, "0.1 -0.0 0 \"NaN\" \"-Infinity\" -9223372036854775808 18446744073709551615");
}

TEST(JsonWriter, IntegersOfEveryLengthAreTheirDigits) {
  uint64_t random = 88172645463325252;
  for (int round = 0; round < 20'000; ++round) {
    random = random * 6364136223846793005 + 1442695040888963407;
    uint64_t value = random >> (round % 64);
    value -= value % (round % 3 == 0 ? 100 : 1);  // some end in zeros
    std::string out;
    JsonWriter writer(out, 1000, 100);
    writer.put_uint(value);
    writer.put(' ');
    writer.put_int(static_cast<int64_t>(value));
    writer.put(' ');
    writer.put_int(-static_cast<int64_t>(value >> 1));
    writer.finish();
    ASSERT_EQ(out, std::to_string(value) + " " + std::to_string(static_cast<int64_t>(value)) + " " +
                       std::to_string(-static_cast<int64_t>(value >> 1)));
  }
}

TEST(JsonWriter, TheBoundStopsGrowth) {
  std::string out;
  JsonWriter writer(out, 1000, 10);
  bool ok = true;
  int written = 0;
  for (; ok && written < 100'000; ++written) {
    ok = writer.write("0123456789");
  }
  EXPECT_FALSE(ok);
  EXPECT_TRUE(writer.is_over_bound());
  EXPECT_LT(out.size(), 3000U);
}

TEST(JsonWriter, Base64IsPaddedAndStandard) {
  std::string out;
  JsonWriter writer(out, 1000, 0);
  ASSERT_TRUE(writer.write_base64("\xff\xff"));
  writer.finish();
  EXPECT_EQ(out, "\"//8=\"");
}

}  // namespace
}  // namespace transom
