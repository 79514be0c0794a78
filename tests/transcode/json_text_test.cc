#include "transcode/json_text.h"

#include <gtest/gtest.h>

namespace transom {
namespace {

std::string unescaped(std::string raw) {
  std::string target(raw.size() + 1, '\0');
  const char* wrong = nullptr;
  char* end = unescape_json(raw, target.data(), &wrong);
  return end == nullptr ? "wrong at " + std::to_string(wrong - raw.data())
                        : target.substr(0, static_cast<size_t>(end - target.data()));
}

TEST(JsonText, EscapesMeanWhatRfc8259Says) {
  EXPECT_EQ(unescaped(R"(\"\\\/\b\f\n\r\t)"), "\"\\/\b\f\n\r\t");
  EXPECT_EQ(unescaped(R"(a\u0041\u00e9\u20AC\ud83d\ude00z)"), "aA\u00e9\u20ac\U0001F600z");
  EXPECT_EQ(unescaped(R"(\u0000)"), std::string(1, '\0'));
  EXPECT_EQ(unescaped("plain"), "plain");
  EXPECT_EQ(unescaped(""), "");
}

TEST(JsonText, WrongEscapesAndHalfSurrogatesAreFound) {
  for (const char* raw : {R"(ab\x)", R"(ab\u12)", R"(ab\u12g4)", R"(ab\ud800)", R"(ab\ud800x)", R"(ab\ud800\n)",
                          R"(ab\ud800\u0041)", R"(ab\udc00)", R"(ab\udc00\ud800)", R"(ab\a)", R"(ab\U0041)"}) {
    EXPECT_EQ(unescaped(raw), "wrong at 2") << raw;
  }
}

TEST(JsonText, Utf8IsTakenOnlyAsTheStandardSays) {
  struct {
    std::string text;
    size_t valid;
  } cases[] = {
      {"abc", 3},
      {"\u00e9\u20ac\U0001F600", 9},
      {"a\xff", 1},
      {"a\xc0\x80", 1},          // overlong NUL
      {"a\xe0\x80\x80", 1},      // overlong
      {"a\xed\xa0\x80", 1},      // a surrogate
      {"a\xf4\x90\x80\x80", 1},  // above U+10FFFF
      {"a\xf0\x80\x80\x80", 1},
      {"a\xe2\x82", 1},  // cut off
      {"\x80", 0},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(utf8_valid_bytes(c.text), c.valid);
    EXPECT_EQ(is_utf8(c.text), c.valid == c.text.size());
  }
}

TEST(JsonText, TraitsSeeEveryByteOfAnyLength) {
  for (size_t n = 0; n < 70; ++n) {
    std::string text(n, 'a');
    EXPECT_FALSE(text_traits(text).has_special) << n;
    EXPECT_TRUE(text_traits(text).is_ascii) << n;
    for (size_t i = 0; i < n; ++i) {
      for (char c : {'"', '\\', '\n', '\0'}) {
        text[i] = c;
        EXPECT_TRUE(text_traits(text).has_special) << n << " " << i;
      }
      text[i] = '\x7f';
      EXPECT_FALSE(text_traits(text).has_special) << n << " " << i;
      text[i] = '\x80';
      EXPECT_FALSE(text_traits(text).is_ascii) << n << " " << i;
      text[i] = 'a';
    }
  }
}

}  // namespace
}  // namespace transom
