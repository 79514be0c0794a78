#include "base/utf8.h"

#include <gtest/gtest.h>

namespace transom {
namespace {

// The boundaries of table 3-7 of the Unicode standard.
TEST(Utf8Test, KnowsTheBoundariesOfEachSequence) {
  for (const char* text : {"", "a", "\x7f", "\xc2\x80", "\xdf\xbf", "\xe0\xa0\x80", "\xed\x9f\xbf", "\xee\x80\x80",
                           "\xef\xbf\xbf", "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf",
                           "a\xe2\x82\xac"
                           "b"}) {
    EXPECT_TRUE(is_valid_utf8(text)) << text;
  }
  for (const char* text :
       {"\x80", "\xbf", "\xc0\x80", "\xc1\xbf", "\xc2", "\xc2\x41", "\xe0\x9f\xbf", "\xe2\x82", "\xed\xa0\x80",
        "\xf0\x8f\xbf\xbf", "\xf0\x90\x80", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff", "a\xe2\x82\x41"}) {
    EXPECT_FALSE(is_valid_utf8(text)) << text;
  }
}

}  // namespace
}  // namespace transom
