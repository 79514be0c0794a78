#include "schema/plan_compiler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schema/schema_loader.h"
#include "support/proto_text.h"

namespace transom {
namespace {

std::string load_error(const std::string& text) {
  SchemaLoader loader;
  Status status = loader.add_descriptor_set(descriptor_set_of({{"test.proto", text}}), "test");
  EXPECT_TRUE(status.ok()) << status.message;
  auto schema = loader.load();
  return schema.ok() ? "" : schema.status().message;
}

// Tags by the encoding document: number << 3 | wire type, as a varint.
TEST(PlanCompiler, KnowsKindAndTagOfEveryType) {
  struct Case {
    const char* type;
    Kind kind;
    uint8_t wire_type;
    uint8_t packed_wire_type;
  };
  const std::vector<Case> cases = {
      {"double", Kind::Double, 1, 2},   {"float", Kind::Float, 5, 2},       {"int32", Kind::Int32, 0, 2},
      {"int64", Kind::Int64, 0, 2},     {"uint32", Kind::Uint32, 0, 2},     {"uint64", Kind::Uint64, 0, 2},
      {"sint32", Kind::Sint32, 0, 2},   {"sint64", Kind::Sint64, 0, 2},     {"fixed32", Kind::Fixed32, 5, 2},
      {"fixed64", Kind::Fixed64, 1, 2}, {"sfixed32", Kind::Sfixed32, 5, 2}, {"sfixed64", Kind::Sfixed64, 1, 2},
      {"bool", Kind::Bool, 0, 2},       {"string", Kind::String, 2, 2},     {"bytes", Kind::Bytes, 2, 2},
      {"E", Kind::Enum, 0, 2},          {"N", Kind::Message, 2, 2},
  };
  std::string text = "syntax = \"proto3\"; package t; enum E { Z = 0; } message N {} message M {";
  for (size_t i = 0; i < cases.size(); ++i) {
    const std::string type = cases[i].type;
    text += type + " a" + std::to_string(i) + " = " + std::to_string(2 * i + 1) + ";";
    text += "repeated " + type + " b" + std::to_string(i) + " = " + std::to_string(2 * i + 2) + ";";
  }
  SchemaPtr schema = schema_of(text + "}");
  for (size_t i = 0; i < cases.size(); ++i) {
    const FieldPlan* one = schema->find_message("t.M")->find_field(static_cast<uint32_t>(2 * i + 1));
    const FieldPlan* many = schema->find_message("t.M")->find_field(static_cast<uint32_t>(2 * i + 2));
    EXPECT_EQ(one->kind, cases[i].kind) << cases[i].type;
    EXPECT_EQ(one->tag[0] & 7, cases[i].wire_type) << cases[i].type;
    EXPECT_EQ(many->tag[0] & 7, cases[i].packed_wire_type) << cases[i].type;
    EXPECT_TRUE(many->is_repeated && !one->is_repeated);
    EXPECT_EQ(many->is_packed, one->kind != Kind::String && one->kind != Kind::Bytes && one->kind != Kind::Message)
        << cases[i].type;
    EXPECT_EQ(one->has_presence, one->kind == Kind::Message) << cases[i].type;
  }
}

TEST(PlanCompiler, WritesTagsOfOneToFiveBytes) {
  SchemaPtr schema = schema_of(R"(syntax = "proto3"; package t;
    message M { int32 a = 1; int32 b = 15; int32 c = 16; string d = 2048; float e = 262144; int32 f = 536870911; })");
  const MessagePlan* message = schema->find_message("t.M");
  const std::vector<std::vector<uint8_t>> expected = {
      {0x08}, {0x78}, {0x80, 0x01}, {0x82, 0x80, 0x01}, {0x85, 0x80, 0x80, 0x01}, {0xf8, 0xff, 0xff, 0xff, 0x0f}};
  for (size_t i = 0; i < expected.size(); ++i) {
    const FieldPlan& field = message->fields[i];
    EXPECT_EQ(std::vector<uint8_t>(field.tag.begin(), field.tag.begin() + field.tag_bytes), expected[i])
        << field.proto_name;
  }
}

TEST(PlanCompiler, TellsPresenceOneofsAndMapsApart) {
  SchemaPtr schema = schema_of(R"(syntax = "proto3"; package t;
    message M { optional int32 opt = 1; oneof first { int32 a = 2; string b = 3; } oneof second { M c = 4; }
                map<string, M> by_name = 5; int32 plain = 6; })");
  const MessagePlan* message = schema->find_message("t.M");
  const auto field = [message](const char* name) { return *message->find_field(name); };
  EXPECT_EQ(message->oneofs, 2);
  EXPECT_TRUE(field("opt").has_presence);
  EXPECT_EQ(field("opt").oneof, -1);
  EXPECT_EQ(field("a").oneof, 0);
  EXPECT_EQ(field("b").oneof, 0);
  EXPECT_EQ(field("c").oneof, 1);
  EXPECT_EQ(field("c").message, message);
  EXPECT_FALSE(field("plain").has_presence);
  const FieldPlan by_name = field("byName");
  EXPECT_TRUE(by_name.is_map && by_name.is_repeated && !by_name.is_packed);
  ASSERT_TRUE(by_name.message->is_map_entry);
  EXPECT_EQ(by_name.message->fields[0].number, 1u);
  EXPECT_EQ(by_name.message->fields[0].kind, Kind::String);
  EXPECT_EQ(by_name.message->fields[1].message, message);
}

TEST(PlanCompiler, KnowsWhatProto2Adds) {
  SchemaPtr schema = schema_of(R"(syntax = "proto2"; package t;
    enum E { ONE = 1; }
    message M { required int32 must = 1; repeated int32 plain = 2; repeated int32 packed = 3 [packed = true]; optional E e = 4;
                optional group Grp = 5 { optional int32 x = 6; } extensions 100 to 200; }
    message N { extend M { optional N inner = 101; } }
    extend M { repeated string outer = 100; })");
  const MessagePlan* message = schema->find_message("t.M");
  EXPECT_TRUE(message->has_required);
  EXPECT_TRUE(message->find_field("must")->is_required);
  EXPECT_FALSE(message->find_field("plain")->is_packed);
  EXPECT_TRUE(message->find_field("packed")->is_packed);
  EXPECT_TRUE(message->find_field("e")->has_presence);
  EXPECT_TRUE(message->find_field("e")->enumeration->is_closed);
  EXPECT_EQ(message->find_field("grp")->kind, Kind::Group);
  EXPECT_EQ(message->find_field("grp")->tag[0], 5 << 3 | 3);
  const FieldPlan* outer = message->find_field("[t.outer]");
  ASSERT_NE(outer, nullptr);
  EXPECT_TRUE(outer->is_extension && outer->is_repeated);
  EXPECT_EQ(message->find_field(100u), outer);
  EXPECT_EQ(message->find_field("outer"), nullptr);
  EXPECT_EQ(message->find_field("[t.N.inner]")->message, schema->find_message("t.N"));
}

TEST(PlanCompiler, RefusesTwoFieldsWithOneJsonName) {
  EXPECT_NE(
      load_error(
          R"(syntax = "proto2"; package t; message M { optional int32 a = 1 [json_name = "x"]; optional int32 b = 2 [json_name = "x"]; })"),
      "");
  // Derived names may clash in proto2; the first field has the name then.
  SchemaPtr schema = schema_of(
      R"(syntax = "proto2"; package t; message M { optional int32 foo_bar = 1; optional int32 fooBar = 2; })");
  EXPECT_EQ(schema->find_message("t.M")->find_field("fooBar")->number, 1u);
}

TEST(PlanCompiler, RefusesAJsonNameThatJsonWouldHaveToEscape) {
  for (std::string name : {R"(a\"b)", R"(a\\b)", R"(a\nb)"}) {
    const std::string text = R"(syntax = "proto3"; package t; message M { int32 f = 1 [json_name = ")" + name + "\"]; }";
    EXPECT_THAT(load_error(text), testing::HasSubstr("t.M.f: a JSON name may not have quotes"))
        << name;
  }
}

}  // namespace
}  // namespace transom
