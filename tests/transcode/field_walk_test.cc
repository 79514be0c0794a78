#include "transcode/field_walk.h"

#include <gtest/gtest.h>

#include "transcode/transcoding.h"

namespace transom {
namespace {

std::string printed(const std::string& wire) {
  Outcome outcome = Transcoding().to_json(wire);
  return outcome.status.ok() ? outcome.bytes : outcome.status.message;
}

TEST(FieldWalk, WireOutOfOrderIsReadAsProtobufReadsIt) {
  std::string left = wire_field(17, wire_field(1, "a") + wire_field(2, 1));
  std::string right = wire_field(17, wire_field(2, 2) + wire_field(5, wire_field(1, "k")));
  struct {
    std::string wire;
    const char* json;
  } cases[] = {
      {wire_field(3, 1) + wire_field(3, 2), R"({"fInt32":2})"},
      {wire_field(3, 1) + wire_field(4, 5) + wire_field(3, 2), R"({"fInt32":2,"fInt64":"5"})"},
      {wire_field(3, 1) + wire_field(3, 0), "{}"},
      {left + right, R"({"fSub":{"name":"a","num":2,"children":{"k":{}}}})"},
      {left + wire_field(3, 1) + right, R"({"fInt32":1,"fSub":{"name":"a","num":2,"children":{"k":{}}}})"},
      {wire_field(34, "a") + wire_field(3, 1) + wire_field(34, "b"), R"({"fInt32":1,"rString":["a","b"]})"},
      {wire_field(23, std::string("\x01\x02", 2)) + wire_field(23, 3) + wire_field(23, std::string("\x04", 1)),
       R"({"rInt32":[1,2,3,4]})"},
      {wire_field(38, std::string("\x01\x02", 2)), R"({"uInt32":[1,2]})"},
      {wire_field(71, 5) + wire_field(72, "x"), R"({"oneString":"x"})"},
      {wire_field(73, wire_field(1, "a")) + wire_field(71, 1) + wire_field(73, wire_field(2, 2)),
       R"({"oneSub":{"num":2}})"},
      {wire_field(73, wire_field(1, "a")) + wire_field(73, wire_field(2, 2)), R"({"oneSub":{"name":"a","num":2}})"},
      {wire_field(23, ""), "{}"},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(printed(c.wire), c.json);
  }
}

TEST(FieldWalk, UnknownFieldsAndWrongWireTypesArePassedOver) {
  std::string unknown =
      wire_field(1000, 1) + wire_tag(1001, 3) + wire_field(1, 1) + wire_tag(1001, 4) + wire_field(3, "text");
  EXPECT_EQ(printed(unknown + wire_field(4, 5) + unknown), R"({"fInt64":"5"})");
  EXPECT_EQ(printed(wire_field(34, "a") + unknown + wire_field(34, "b")), R"({"rString":["a","b"]})");
  EXPECT_EQ(printed(wire_tag(1001, 3)), "the replica's message is not valid protobuf");
  std::string deep;
  for (int i = 0; i < 10'000; ++i) {
    deep += wire_tag(1001, 3);
  }
  EXPECT_EQ(printed(deep), "the replica's message is not valid protobuf");
}

TEST(FieldWalk, NumbersWithoutANameInAClosedEnumAreUnknown) {
  Transcoding old{.message = "kinds2.Old"};
  EXPECT_EQ(old.to_json(wire_field(4, 5) + wire_field(4, 2)).bytes, R"({"fSize":"LARGE"})");
  EXPECT_EQ(old.to_json(wire_field(4, 2)).bytes, "{}");
  EXPECT_EQ(old.to_json(wire_field(5, 2) + wire_field(5, 1)).bytes, R"({"rSize":["SMALL"]})");
  EXPECT_EQ(old.to_json(wire_field(14, std::string("\x02\x05\x03", 3))).bytes, R"({"pSize":["LARGE"]})");
  EXPECT_EQ(old.to_json(wire_field(11, "x") + wire_field(10, 2)).bytes, R"({"oneString":"x"})");
}

TEST(FieldWalk, GroupsAreRefused) {
  EXPECT_EQ(
      Transcoding{.message = "kinds2.Old"}.to_json(wire_tag(12, 3) + wire_field(1, 1) + wire_tag(12, 4)).status.message,
      "a group has no JSON form");
}

// At each level the child comes first and a field then comes again: if each level printed its child twice, this would
// take 2^90 steps.
TEST(FieldWalk, UntidyWireAtEveryLevelCostsTwiceAtMost) {
  std::string wire = wire_field(1, "x");
  for (int i = 0; i < 90; ++i) {
    wire = wire_field(2, 1) + wire_field(3, wire) + wire_field(2, 2);
  }
  Outcome outcome = Transcoding{.message = "kinds.Sub"}.to_json(wire);
  EXPECT_TRUE(outcome.status.ok()) << outcome.status.message;
}

}  // namespace
}  // namespace transom
