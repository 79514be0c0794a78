#include "http/request_target.h"

#include <gtest/gtest.h>

#include <string>

namespace transom {
namespace {

TEST(RequestTargetTest, TakesOriginFormsOfPrintableAscii) {
  for (std::string path : {"/", "/v1/models/a%2Fb:predict?x=1&y=[2]", "//a//b", "/a;b=c,d/~e!$'()*+"}) {
    EXPECT_EQ(check_path(path), "") << path;
  }
}

TEST(RequestTargetTest, RefusesWhatIsNoOriginForm) {
  for (std::string path : {"", "a", "*", "?x=1", "/a#b", "/a b", "/a\tb", "/a\x7f", "/\xc3\xa9", "http://h/"}) {
    EXPECT_NE(check_path(path), "") << path;
  }
  EXPECT_NE(check_path(std::string_view("/a\0b", 4)), "");
}

TEST(RequestTargetTest, ChecksAuthorities) {
  for (std::string good : {"a", "a.example", "a.example:80", "127.0.0.1:65535", "[::1]", "[::1]:8080", "a:", "a_b-c"}) {
    EXPECT_EQ(check_authority(good), "") << good;
  }
  for (std::string bad : {"", ":80", "a b", "a@b", "u:p@b", "a/b", "a?b", "a#b", "a:b", "a:80:80", "[::1", "[]",
                          "[g::]", "[::1]x", "a:123456", "a,b", "a%40b", "\xc3\xa9", "a\\b"}) {
    EXPECT_NE(check_authority(bad), "") << bad;
  }
}

TEST(RequestTargetTest, SplitsAbsoluteForms) {
  auto split = split_absolute("http://a.example:80/p?q");
  ASSERT_TRUE(split);
  EXPECT_EQ(split->scheme, "http");
  EXPECT_EQ(split->authority, "a.example:80");
  EXPECT_EQ(split->rest, "/p?q");
  split = split_absolute("HTTPS://a?q");
  ASSERT_TRUE(split);
  EXPECT_EQ(split->authority, "a");
  EXPECT_EQ(split->rest, "?q");
  EXPECT_FALSE(split_absolute("/http://a/"));
  EXPECT_FALSE(split_absolute("://a"));
  EXPECT_FALSE(split_absolute("a.example:80"));
}

}  // namespace
}  // namespace transom
