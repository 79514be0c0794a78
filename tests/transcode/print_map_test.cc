#include "transcode/print_map.h"

#include <gtest/gtest.h>

#include "transcode/transcoding.h"

namespace transom {
namespace {

std::string entry(const std::string& key, const std::string& value) {
  return wire_field(41, wire_field(1, key) + wire_field(2, value));
}

TEST(PrintMap, OfAKeyThatComesTwiceTheLastCounts) {
  EXPECT_EQ(Transcoding().to_json(entry("a", "1") + entry("b", "2") + entry("a", "3")).bytes,
            R"({"mString":{"b":"2","a":"3"}})");
  EXPECT_EQ(Transcoding().to_json(entry("a", "1") + wire_field(3, 1) + entry("a", "3")).bytes,
            R"({"fInt32":1,"mString":{"a":"3"}})");
  std::string many;
  for (int i = 0; i < 3000; ++i) {
    many += entry("a long key that begins alike " + std::to_string(i % 1000), std::to_string(i));
  }
  std::string json = Transcoding().to_json(many).bytes;
  EXPECT_EQ(json.find("\"1999\""), std::string::npos);
  EXPECT_NE(json.find("alike 999\":\"2999\""), std::string::npos);
  EXPECT_EQ(Transcoding().problem(json), "");
}

TEST(PrintMap, WhatAnEntryLacksIsTheDefault) {
  EXPECT_EQ(Transcoding()
                .to_json(wire_field(41, "") + wire_field(42, wire_field(2, 5)) +
                         wire_field(48, wire_field(2, wire_field(2, 1))))
                .bytes,
            R"({"mString":{"":""},"mInt32":{"0":5},"mFixed32":{"0":{"num":1}}})");
  EXPECT_EQ(Transcoding().to_json(wire_field(41, "") + entry("", "x")).bytes, R"({"mString":{"":"x"}})");
  EXPECT_EQ(Transcoding().to_json(wire_field(47, "") + wire_field(52, "") + wire_field(53, "")).bytes,
            R"({"mSint64":{"0":"COLOR_NONE"},"mBool":{"false":""},"mValue":{"":null}})");
}

// A closed enum's number that nobody knows is an unknown field, of an entry as of any message.
TEST(PrintMap, AnUnknownNumberOfAClosedEnumLeavesTheValueBeforeIt) {
  Transcoding old{.message = "kinds2.Old"};
  const std::string high = wire_field(2, 3);
  const std::string unknown = wire_field(2, 35);
  const auto entry = [](const std::string& values) { return wire_field(9, wire_field(1, "a") + values); };
  EXPECT_EQ(old.to_json(entry(high + unknown)).bytes, old.to_json(entry(high)).bytes);
  EXPECT_EQ(old.to_json(entry(unknown + high)).bytes, old.to_json(entry(high)).bytes);
  EXPECT_EQ(old.to_json(entry(high)).bytes, R"({"mLevel":{"a":"HIGH"}})");
  EXPECT_EQ(old.to_json(entry(unknown + unknown)).bytes, "{}");
}

TEST(PrintMap, PartsOfOneEntryAreMerged) {
  std::string split = wire_field(2, wire_field(1, "n")) + wire_field(2, wire_field(2, 1)) + wire_tag(1, 5) +
                      std::string("\x05\0\0\0", 4);
  EXPECT_EQ(Transcoding().to_json(wire_field(48, split)).bytes, R"({"mFixed32":{"5":{"name":"n","num":1}}})");
  EXPECT_EQ(
      Transcoding()
          .to_json(wire_field(41, wire_field(1, "a") + wire_field(2, "x") + wire_field(1, "b") + wire_field(9, 9)))
          .bytes,
      R"({"mString":{"b":"x"}})");
}

TEST(PrintMap, BrokenEntriesAreRefused) {
  EXPECT_FALSE(Transcoding().to_json(wire_field(41, "\x0a\x05x")).status.ok());
  EXPECT_FALSE(Transcoding().to_json(wire_field(41, wire_field(1, "\xff"))).status.ok());
}

}  // namespace
}  // namespace transom
