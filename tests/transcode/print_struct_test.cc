#include "transcode/print_struct.h"

#include <gtest/gtest.h>

#include "transcode/transcoding.h"

namespace transom {
namespace {

constexpr const char* kFieldOf[] = {"wStruct", "wValue", "wList"};

std::string text_value(const std::string& text) { return wire_field(3, text); }
std::string entry(const std::string& key, const std::string& value) {
  return wire_field(1, wire_field(1, key) + wire_field(2, value));
}
// What field 84 (a Struct), 85 (a Value) or 86 (a ListValue) becomes.
std::string printed(uint32_t field, const std::string& content) {
  Outcome outcome = Transcoding().to_json(wire_field(field, content));
  if (!outcome.status.ok()) {
    return outcome.status.message;
  }
  const std::string begin = "{\"" + std::string(kFieldOf[field - 84]) + "\":";
  EXPECT_EQ(outcome.bytes.substr(0, begin.size()), begin);
  return outcome.bytes.substr(begin.size(), outcome.bytes.size() - begin.size() - 1);
}

TEST(PrintStruct, EveryKindOfValueHasItsJson) {
  const std::string half = wire_tag(2, 1) + std::string("\0\0\0\0\0\0\xe0\x3f", 8);
  EXPECT_EQ(printed(84, entry("a", wire_field(1, uint64_t{0})) + entry("b", half) + entry("c", text_value("x\n")) +
                            entry("d", wire_field(4, 1)) + entry("e", wire_field(5, entry("f", wire_field(4, uint64_t{0})))) +
                            entry("g", wire_field(6, wire_field(1, half) + wire_field(1, "")))),
            R"({"a":null,"b":0.5,"c":"x\n","d":true,"e":{"f":false},"g":[0.5,null]})");
  EXPECT_EQ(printed(85, wire_field(5, "")), "{}");
  EXPECT_EQ(printed(85, wire_field(6, "")), "[]");
}

TEST(PrintStruct, WhatIsLegalButUnusualIsReadAllTheSame) {
  const std::string broad = "\xfa\x07" + std::string("\x01z", 2);  // field 127, unknown
  struct {
    uint32_t field;
    std::string content;
    const char* json;
  } cases[] = {
      {84, entry("a", text_value("1")) + entry("a", text_value("2")), R"({"a":"2"})"},
      {84, entry("a", text_value("1")) + broad + entry("b", text_value("2")), R"({"a":"1","b":"2"})"},
      {84, wire_field(1, wire_field(2, text_value("1")) + wire_field(1, "k")), R"({"k":"1"})"},
      {84, wire_field(1, wire_field(1, "k")), R"({"k":null})"},
      {84, wire_field(1, ""), R"({"":null})"},
      {85, text_value("1") + text_value("2"), R"("2")"},
      {85, text_value("1") + wire_field(4, 1), "true"},
      {85, broad, "null"},
      {85, wire_field(5, entry("a", text_value("1"))) + wire_field(5, entry("b", text_value("2"))),
       R"({"a":"1","b":"2"})"},
      {86, wire_field(1, text_value("1")) + broad + wire_field(1, text_value("2")), R"(["1","2"])"},
  };
  for (const auto& one : cases) {
    EXPECT_EQ(printed(one.field, one.content), one.json);
  }
}

TEST(PrintStruct, WhatIsBrokenIsRefused) {
  for (const std::string& content :
       {std::string("\x0a"), std::string("\x0a\x05x"), std::string("\x1a\x05x"), std::string("\x11\0\0", 3),
        std::string("\x20\x80")}) {
    for (uint32_t field : {84u, 85u, 86u}) {
      Outcome outcome = Transcoding().to_json(wire_field(field, content));
      EXPECT_FALSE(outcome.status.ok()) << field << ' ' << outcome.bytes;
    }
  }
  for (uint32_t kind : {5u, 6u}) {
    EXPECT_FALSE(Transcoding().to_json(wire_field(85, wire_field(kind, "\x0a\x05"))).status.ok());
  }
  EXPECT_EQ(printed(85, text_value("\xff")), "a string in the replica's message is not UTF-8");
}

TEST(PrintStruct, DepthIsBounded) {
  for (bool are_lists : {true, false}) {
    std::string value = text_value("x");
    int levels = 0;
    std::string last;
    do {
      value = are_lists ? wire_field(6, wire_field(1, value)) : wire_field(5, entry("k", value));
      ++levels;
      last = printed(85, value);
    } while (last.starts_with(are_lists ? "[" : "{") && levels < 200);
    EXPECT_EQ(last, "the replica's message is nested too deep for JSON");
    EXPECT_LT(levels, 100);
    EXPECT_GT(levels, 25);
  }
}

// Each level that is unusual would double the work, were it tried both ways.
TEST(PrintStruct, UnusualLevelsCostNoMoreThanTwice) {
  std::string value = text_value("x");
  for (int i = 0; i < 30; ++i) {
    value = wire_field(5, entry("k", value) + entry("k", value.substr(0, 0)) + entry("j", value));
    if (value.size() > 1 << 16) {
      break;
    }
  }
  EXPECT_TRUE(printed(85, value).starts_with("{"));
  std::string deep = text_value("x");
  for (int i = 0; i < 30; ++i) {
    deep = wire_field(5, entry("k", deep) + entry("j", "") + entry("j", ""));
  }
  EXPECT_TRUE(printed(85, deep).starts_with("{"));
}

}  // namespace
}  // namespace transom
