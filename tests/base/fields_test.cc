#include "base/fields.h"

#include <gtest/gtest.h>

namespace transom {
namespace {

TEST(Fields, KeepsOrderAndRepeatsAndLowersNames) {
  Fields fields;
  fields.add("Foo", "1");
  fields.add("BAR_baz", "X");
  fields.add("foo", "2");
  ASSERT_EQ(fields.size(), 3U);
  EXPECT_EQ(fields[0].name, "foo");
  EXPECT_EQ(fields[1].name, "bar_baz");
  EXPECT_EQ(fields[1].value, "X");
  EXPECT_EQ(fields[2].value, "2");
  EXPECT_EQ(fields.find("foo"), "1");
  EXPECT_EQ(fields.find("none"), std::nullopt);
}

TEST(Fields, RemoveTakesAllOfAName) {
  Fields fields;
  fields.add("a", "1");
  fields.add("b", "2");
  fields.add("a", "3");
  fields.remove("a");
  ASSERT_EQ(fields.size(), 1U);
  EXPECT_EQ(fields[0].value, "2");
}

TEST(Fields, EqualIgnoringCaseComparesAsciiOnly) {
  EXPECT_TRUE(equal_ignoring_case("Content-Type", "content-type"));
  EXPECT_FALSE(equal_ignoring_case("content-type", "content-typ"));
  EXPECT_FALSE(equal_ignoring_case("[", "{"));
}

TEST(Fields, NamesAreMadeLowerByteByByteAndValuesAreKept) {
  for (int byte = 0; byte < 256; ++byte) {
    for (size_t at = 0; at < 9; ++at) {
      std::string name = "xXxXxXxXx";
      name[at] = static_cast<char>(byte);
      Fields fields;
      fields.add(name, name);
      std::string lower = "xxxxxxxxx";
      lower[at] = byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte + 32) : static_cast<char>(byte);
      EXPECT_EQ(fields[0].name, lower);
      EXPECT_EQ(fields[0].value, name);
    }
  }
}

}  // namespace
}  // namespace transom
