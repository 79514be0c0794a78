#include "schema/plan.h"

#include <gtest/gtest.h>

#include <limits>
#include <set>

#include "support/proto_text.h"

namespace transom {
namespace {

TEST(Plan, FindsFieldsByEitherNameAndByNumber) {
  std::string text = "syntax = \"proto3\"; package t; message M {";
  for (int i = 1; i <= 300; ++i) {
    text += "int32 field_number_" + std::to_string(i) + " = " + std::to_string(i * 7) + ";";
  }
  SchemaPtr schema = schema_of(text + "int32 last = 536870911; int32 odd_one = 5 [json_name = \"@odd\"]; }");
  const MessagePlan* message = schema->find_message("t.M");
  ASSERT_EQ(message->fields.size(), 302u);
  for (const FieldPlan& field : message->fields) {
    EXPECT_EQ(message->find_field(field.json_name), &field) << field.json_name;
    EXPECT_EQ(message->find_field(field.proto_name), &field) << field.proto_name;
    EXPECT_EQ(message->find_field(field.number), &field) << field.number;
  }
  EXPECT_EQ(message->find_field("fieldNumber17")->number, 119u);
  EXPECT_EQ(message->find_field("@odd")->number, 5u);
  for (const char* name : {"", "oddOne", "fieldNumber301", "field_number_0", "FieldNumber1", "fieldNumber1 "}) {
    EXPECT_EQ(message->find_field(name), nullptr) << name;
  }
  for (uint32_t number : {0u, 1u, 6u, 8u, 2101u, 536870910u, 0xffffffffu}) {
    EXPECT_EQ(message->find_field(number), nullptr) << number;
  }
}

TEST(Plan, FindsNothingInAnEmptyMessage) {
  SchemaPtr schema = schema_of("syntax = \"proto3\"; package t; message M {}");
  EXPECT_EQ(schema->find_message("t.M")->find_field("a"), nullptr);
  EXPECT_EQ(schema->find_message("t.M")->find_field(1u), nullptr);
}

TEST(Plan, PrefersTheJsonNameWhereAnotherFieldHasItAsItsOwnName) {
  SchemaPtr schema = schema_of(
      "syntax = \"proto3\"; package t; message M { int32 a = 1 [json_name = \"b\"]; int32 b = 2 [json_name = \"a\"]; "
      "}");
  const MessagePlan* message = schema->find_message("t.M");
  EXPECT_EQ(message->find_field("a")->number, 2u);
  EXPECT_EQ(message->find_field("b")->number, 1u);
}

TEST(Plan, FindsEnumEntriesWhereNumbersHaveGapsAndWhereTheyHaveNone) {
  for (int step : {1, 3, 70000}) {
    std::string text = "syntax = \"proto3\"; package t; enum E { ZERO = 0;";
    for (int i = -50; i <= 200; ++i) {
      text += i == 0 ? "" : " N" + std::to_string(i + 50) + " = " + std::to_string(i * step) + ";";
    }
    SchemaPtr schema = schema_of(text + "}");
    const EnumPlan* plan = schema->find_enum("t.E");
    for (int i = -50; i <= 200; ++i) {
      const std::string name = i == 0 ? "ZERO" : "N" + std::to_string(i + 50);
      ASSERT_NE(plan->find(name), nullptr) << name;
      EXPECT_EQ(plan->find(name)->number, i * step);
      ASSERT_NE(plan->find(i * step), nullptr) << i * step;
      EXPECT_EQ(plan->find(i * step)->name, name);
    }
    for (int number : {-51 * step, 201 * step, std::numeric_limits<int>::min(), std::numeric_limits<int>::max()}) {
      EXPECT_EQ(plan->find(number), nullptr) << number;
    }
    for (const char* name : {"", "N", "N251", "n1", "ZERO0"}) {
      EXPECT_EQ(plan->find(std::string_view(name)), nullptr) << name;
    }
  }
}

TEST(Plan, FindsEnumEntriesByNameAndNumber) {
  SchemaPtr schema = schema_of(R"(
    syntax = "proto3"; package t;
    enum Color { option allow_alias = true; ZERO = 0; RED = 1; CRIMSON = 1; BLUE = -5; }
  )");
  const EnumPlan* color = schema->find_enum("t.Color");
  EXPECT_EQ(color->find("CRIMSON")->number, 1);
  EXPECT_EQ(color->find("BLUE")->number, -5);
  EXPECT_EQ(color->find("red"), nullptr);
  EXPECT_EQ(color->find_ignoring_case("red")->number, 1);
  EXPECT_EQ(color->find_ignoring_case("re"), nullptr);
  EXPECT_EQ(color->find(1)->name, "RED");
  EXPECT_EQ(color->find(-5)->name, "BLUE");
  EXPECT_EQ(color->find(2), nullptr);
  EXPECT_FALSE(color->is_closed);
}

TEST(Plan, HashesNamesOfAllLengthsApart) {
  std::set<uint32_t> hashes;
  std::string name;
  for (int i = 0; i < 40; ++i) {
    hashes.insert(hash_field_name(name));
    name += 'a';
  }
  EXPECT_EQ(hashes.size(), 40u);
}

}  // namespace
}  // namespace transom
