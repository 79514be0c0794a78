#include "base/text.h"

#include <gtest/gtest.h>

#include <vector>

namespace transom {
namespace {

TEST(TextTest, BlanksAndTabsAroundAreTrimmed) {
  EXPECT_EQ(trim(" \ta b\t "), "a b");
  EXPECT_EQ(trim("a"), "a");
  EXPECT_EQ(trim(" \t"), "");
  EXPECT_EQ(trim("\na\n"), "\na\n");
}

TEST(TextTest, OnlyAsciiLettersHaveALowerCase) {
  EXPECT_EQ(lower_case("AZaz@[09"), "azaz@[09");
  EXPECT_EQ(lower_case("\xc3\x84"), "\xc3\x84");
}

TEST(TextTest, ATokenHasNoSeparators) {
  for (const char* token : {"GET", "x-key", "a.b", "!#$%&'*+-.^_`|~09azAZ"}) {
    EXPECT_TRUE(is_token(token)) << token;
  }
  for (const char* other : {"", "a b", "a,b", "a:b", "a/b", "(a)", "a\"", "\xc3\xa9"}) {
    EXPECT_FALSE(is_token(other)) << other;
  }
}

TEST(TextTest, AListHasItsTrimmedMembersWithoutEmptyOnes) {
  const auto members = [](std::string_view list) {
    std::vector<std::string_view> found;
    each_list_member(list, [&](std::string_view member) { found.push_back(member); });
    return found;
  };
  using Members = std::vector<std::string_view>;
  EXPECT_EQ(members("a, b\t,,c d ,"), (Members{"a", "b", "c d"}));
  EXPECT_EQ(members(" , "), Members{});
  EXPECT_EQ(members(""), Members{});
}

}  // namespace
}  // namespace transom
