#include "transcode/field_text.h"

#include <gtest/gtest.h>

#include <string>

#include "schema/field_path.h"
#include "support/proto_text.h"

namespace transom {
namespace {

const SchemaPtr& schema() {
  static const SchemaPtr made = schema_of(R"(
    syntax = "proto3";
    package t;
    enum Color { NONE = 0; RED = 1; }
    message Inner { sint64 s = 1; string name = 2; optional int32 opt = 3; }
    message Outer {
      uint32 u = 1; int64 i = 2; sint32 z = 3; bool b = 4; Color c = 5; fixed64 f = 6; sfixed32 g = 7; Inner inner = 8;
      repeated int32 many = 9; double d = 10; bytes y = 11;
    }
  )");
  return made;
}

FieldPath path_of(const char* name) { return *resolve_field_path(*schema()->find_message("t.Outer"), name); }

// "none" when there is no text.
std::string text_of(const char* name, const std::string& wire) {
  std::string out;
  return append_field_text(path_of(name), wire, out) ? out : "none";
}

TEST(FieldTextTest, EachScalarHasItsText) {
  const struct {
    const char* name;
    std::string wire;
    const char* text;
  } cases[] = {
      {"u", "\x08\x05", "5"},
      {"u", "", "0"},
      {"i", std::string("\x10\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 11), "-1"},
      {"z", "\x18\x01", "-1"},
      {"b", "\x20\x01", "true"},
      {"c", "\x28\x01", "1"},
      {"f", std::string("\x31\xff\xff\xff\xff\xff\xff\xff\xff", 9), "18446744073709551615"},
      {"g", std::string("\x3d\xfe\xff\xff\xff", 5), "-2"},
      {"inner.s", "\x42\x02\x08\x03", "-2"},
      {"inner.name", "\x42\x04\x12\x02hi", "hi"},
      {"inner.name", "\x42\x02\x08\x03", "none"},
      {"inner.opt", "\x42\x02\x08\x03", "none"},
      {"inner.opt", std::string("\x42\x02\x18\x00", 4), "0"},
  };
  for (const auto& row : cases) {
    EXPECT_EQ(text_of(row.name, row.wire), row.text) << row.name;
  }
}

TEST(FieldTextTest, TheLastValueWinsAndSplitMessagesAreMerged) {
  EXPECT_EQ(text_of("u", "\x08\x05\x08\x06"), "6");
  EXPECT_EQ(text_of("inner.name", "\x42\x04\x12\x02hi\x42\x02\x08\x03"), "hi");
}

TEST(FieldTextTest, BrokenBytesHaveNone) {
  EXPECT_EQ(text_of("u", "\x08"), "none");
  EXPECT_EQ(text_of("inner.name", "\x42\x04\x12\x09hi"), "none");
}

TEST(FieldTextTest, OnlySingleScalarsThatAreOneWordHaveText) {
  for (const char* name : {"u", "i", "z", "b", "c", "f", "g", "inner.name"}) {
    EXPECT_TRUE(has_field_text(path_of(name))) << name;
  }
  for (const char* name : {"many", "d", "y", "inner"}) {
    EXPECT_FALSE(has_field_text(path_of(name))) << name;
  }
}

}  // namespace
}  // namespace transom
