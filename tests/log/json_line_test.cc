#include "log/json_line.h"

#include <gtest/gtest.h>

#include <limits>

namespace transom {
namespace {

std::string line_of(std::string_view value) {
  std::string out;
  JsonLine line(out);
  line.add("k", value);
  line.end();
  return out;
}

// RFC 8259 section 7, and RFC 3629 for what is UTF-8.
TEST(JsonLine, NoTextCanBreakTheLine) {
  const std::string replacement = "\xef\xbf\xbd";
  const struct {
    std::string text;
    std::string written;
  } cases[] = {
      {"plain", "plain"},
      {"", ""},
      {"a\"b\\c", "a\\\"b\\\\c"},
      {"a\nb\rc\td", "a\\nb\\rc\\td"},
      {std::string("a\0b", 3), "a\\u0000b"},
      {"\x1b[31m\x7f", "\\u001b[31m\\u007f"},
      {"gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x99\x82", "gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x99\x82"},
      {"\xff", replacement},
      {"\xc3", replacement},
      {"\xc0\xaf", replacement + replacement},                                      // overlong
      {"\xed\xa0\x80", replacement + replacement + replacement},                    // a surrogate
      {"\xf4\x90\x80\x80", replacement + replacement + replacement + replacement},  // above U+10FFFF
  };
  for (const auto& c : cases) {
    EXPECT_EQ(line_of(c.text), "{\"k\":\"" + c.written + "\"}\n");
  }
}

TEST(JsonLine, EachByteIsEscapedWhereverItStands) {
  for (int byte = 0; byte < 0x80; ++byte) {
    const char c = static_cast<char>(byte);
    const bool is_plain = byte >= 0x20 && byte < 0x7f && c != '"' && c != '\\';
    for (size_t at = 0; at < 9; ++at) {
      std::string text = "abcdefghi";
      text[at] = c;
      EXPECT_EQ(line_of(text).find('"' + text + '"') != std::string::npos, is_plain) << byte << " at " << at;
      EXPECT_EQ(line_of(text).find("\n"), line_of(text).size() - 1);
    }
  }
}

TEST(JsonLine, WritesNumbersDurationsAndTimes) {
  using namespace std::chrono;
  std::string out;
  JsonLine line(out);
  line.add("least", std::numeric_limits<int64_t>::min());
  line.add("none", int64_t{0});
  line.add("took", nanoseconds(1'234'567'890));
  line.add("short", nanoseconds(1'999));
  line.add("negative", nanoseconds(-5));
  line.add("time",
           system_clock::time_point(sys_days(2024y / February / 29) + hours(23) + minutes(5) + microseconds(7)));
  line.end();
  EXPECT_EQ(out,
            "{\"least\":-9223372036854775808,\"none\":0,\"took\":1234.567,\"short\":0.001,\"negative\":0.000,"
            "\"time\":\"2024-02-29T23:05:00.000007Z\"}\n");
}

}  // namespace
}  // namespace transom
