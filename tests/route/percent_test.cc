#include "route/percent.h"

#include <gtest/gtest.h>

namespace transom {
namespace {

TEST(Percent, DecodesOnceAndLeavesThePlus) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", ""},
      {"a", "a"},
      {"a%2Fb", "a/b"},
      {"%252F", "%2F"},
      {"100%25", "100%"},
      {"a+b%2B", "a+b+"},
      {"%e2%82%ac", "\xe2\x82\xac"},
      {"%2f%23/%20%2523", "/#/ %23"},
  };
  for (const auto& [text, expected] : cases) {
    EXPECT_EQ(decode_percent(text), expected) << text;
  }
  EXPECT_EQ(decode_percent("%00"), std::string(1, '\0'));
}

TEST(Percent, KeepsExactlyTheReservedEscapesAsTheyCame) {
  const std::string reserved = "!#$&'()*+,/:;=?@[]";
  for (int c = 0; c < 256; ++c) {
    char escape[4];
    std::snprintf(escape, sizeof(escape), "%%%02x", c);
    const bool is_kept = reserved.find(static_cast<char>(c)) != std::string::npos;
    const std::string decoded(1, static_cast<char>(c));
    EXPECT_EQ(decode_percent_except(escape, Escapes::Reserved), is_kept ? escape : decoded) << escape;
    EXPECT_EQ(decode_percent_except(escape, Escapes::Slash), c == '/' ? escape : decoded) << escape;
    EXPECT_EQ(decode_percent_except(escape, Escapes::None), decoded) << escape;
  }
  EXPECT_EQ(decode_percent_except("%2f%2F%23/%20%2523", Escapes::Reserved), "%2f%2F%23/ %23");
}

TEST(Percent, KnowsValidEscapes) {
  for (const char* text : {"", "abc", "%00", "%fF", "a%20b%20"}) {
    EXPECT_TRUE(has_valid_escapes(text)) << text;
  }
  for (const char* text : {"%", "%a", "%zz", "%0g", "a%", "%20%", "%%20", "% 20", "%-1"}) {
    EXPECT_FALSE(has_valid_escapes(text)) << text;
  }
}

}  // namespace
}  // namespace transom
