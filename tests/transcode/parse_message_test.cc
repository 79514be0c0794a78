#include "transcode/parse_message.h"

#include <gtest/gtest.h>

#include "transcode/transcoding.h"

namespace transom {
namespace {

TEST(ParseMessage, Fact31OnlyAnObjectIsAMessage) {
  for (const char* json : {"null", "[]", "\"s\"", "1", "true", " "}) {
    EXPECT_EQ(Transcoding().problem(json).substr(0, 18), "expected an object") << json;
  }
}

TEST(ParseMessage, Fact32BytesAfterTheValueAreRefused) {
  for (const char* json : {"{}x", "{}{}", "{} 1", "{},", "{}]"}) {
    EXPECT_EQ(Transcoding().problem(json).substr(0, 21), "expected nothing more") << json;
  }
  EXPECT_EQ(Transcoding().problem(" {} \n"), "");
}

TEST(ParseMessage, Fact34UnknownAndDuplicateMembersAreRefusedByDefault) {
  EXPECT_EQ(Transcoding().problem(R"({"fSub":{"nope":1}})"), "fSub.nope: no such field in kinds.Sub (at byte 9)");
  EXPECT_EQ(Transcoding().problem(R"({"rSub":[{},{"sub":{"x":1}}]})"),
            "rSub[1].sub.x: no such field in kinds.Sub (at byte 20)");
  Transcoding lax;
  lax.options.strictness.set(Slip::UnknownField, Verdict::Ignore);
  EXPECT_EQ(lax.round_trip(R"({"x":{"y":[1,"\n",null]},"fInt32":1})"), R"({"fInt32":1})");
  EXPECT_NE(lax.problem(R"({"x":{"y":[1,]}})"), "");
  EXPECT_NE(lax.problem(R"({"x":"\ud800"})"), "");

  EXPECT_EQ(Transcoding().problem(R"({"fInt32":1,"fInt32":2})"), "fInt32: this field is given twice (at byte 12)");
  EXPECT_EQ(Transcoding().problem(R"({"fInt32":1,"f_int32":2})"), "fInt32: this field is given twice (at byte 12)");
  EXPECT_EQ(Transcoding().problem(R"({"fInt32":1,"f\u0049nt32":2})"), "fInt32: this field is given twice (at byte 12)");
  EXPECT_EQ(Transcoding().problem(R"({"fInt32":null,"fInt32":2})"), "fInt32: this field is given twice (at byte 15)");
}

TEST(ParseMessage, TheLastDuplicateMayWinByOption) {
  Transcoding last;
  last.options.strictness.set(Slip::DuplicateKey, Verdict::Ignore);
  std::string longer(300, 'x');
  struct {
    std::string json;
    std::string answer;
  } cases[] = {
      {R"({"fInt32":1,"fInt32":2})", R"({"fInt32":2})"},
      {R"({"fInt32":1,"fInt32":0})", R"({})"},
      {R"({"rInt32":[1,2],"fBool":true,"r_int32":[3]})", R"({"fBool":true,"rInt32":[3]})"},
      {R"({"fSub":{"name":")" + longer + R"("},"rSub":[{"name":")" + longer + R"("}],"fSub":{"num":2}})",
       R"({"rSub":[{"name":")" + longer + R"("}],"fSub":{"num":2}})"},
      {R"({"oneInt32":1,"oneInt32":2})", R"({"oneInt32":2})"},
      {R"({"mString":{"a":"1","a":"2"}})", R"({"mString":{"a":"2"}})"},
      {R"({"fSub":{"sub":{"num":1},"name":"n","sub":{"opt":2}}})", R"({"fSub":{"name":"n","sub":{"opt":2}}})"},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(last.round_trip(c.json), c.answer) << c.json;
  }
}

TEST(ParseMessage, Fact27NamesAreExactAndMayBeTheProtosOwn) {
  EXPECT_EQ(Transcoding().round_trip(R"({"weird-Name":"a"})"), R"({"weird-Name":"a"})");
  EXPECT_EQ(Transcoding().round_trip(R"({"custom":"a"})"), R"({"weird-Name":"a"})");
  EXPECT_NE(Transcoding().problem(R"({"weirdName":"a"})"), "");
  EXPECT_NE(Transcoding().problem(R"({"FInt32":1})"), "");
}

TEST(ParseMessage, Fact28TwoMembersOfOneOneofAreRefused) {
  EXPECT_EQ(Transcoding().problem(R"({"oneInt32":1,"oneString":"a"})"),
            "oneString: another member of the same oneof is given too (at byte 14)");
  EXPECT_EQ(Transcoding().round_trip(R"({"oneInt32":1,"oneString":null})"), R"({"oneInt32":1})");
  EXPECT_EQ(Transcoding().round_trip(R"({"oneString":null,"oneInt32":1})"), R"({"oneInt32":1})");
  EXPECT_EQ(Transcoding().round_trip(R"({"oneNull":null})"), R"({"oneNull":null})");
  EXPECT_NE(Transcoding().problem(R"({"oneNull":null,"oneInt32":1})"), "");
}

TEST(ParseMessage, Fact37NullLeavesAFieldAbsent) {
  EXPECT_EQ(
      Transcoding().round_trip(R"({"fInt32":null,"rInt32":null,"mString":null,"fSub":null,"wInt32":null,"oneInt32":null,
                                        "wTimestamp":null,"wStruct":null,"oInt32":null})"),
      "{}");
  EXPECT_EQ(Transcoding().round_trip(R"({"wValue":null,"wNull":null})"), R"({"wValue":null})");
  EXPECT_EQ(Transcoding().problem(R"({"rInt32":[1,null]})"), "rInt32[1]: expected a number, found null (at byte 13)");
  EXPECT_EQ(Transcoding().problem(R"({"rSub":[null]})"), "rSub[0]: expected an element, found null (at byte 9)");
  EXPECT_EQ(Transcoding().problem(R"({"mString":{"a":null}})"),
            "mString[\"a\"]: expected a map value, found null (at byte 16)");
  EXPECT_EQ(Transcoding().round_trip(R"({"rwValue":[null,1],"rwNull":[null,"NULL_VALUE",0],"mValue":{"a":null}})"),
            R"({"rwValue":[null,1],"rwNull":[null,null,null],"mValue":{"a":null}})");
}

TEST(ParseMessage, Fact41DepthIsBounded) {
  auto nested = [](int depth) {
    std::string json;
    for (int i = 1; i < depth; ++i) {
      json += R"({"sub":)";
    }
    return json + "{}" + std::string(static_cast<size_t>(depth - 1), '}');
  };
  Transcoding sub{.message = "kinds.Sub"};
  EXPECT_EQ(sub.problem(nested(100)), "");
  EXPECT_NE(sub.problem(nested(101)).find("nested deeper than 100 objects and arrays"), std::string::npos);
  EXPECT_NE(sub.problem(nested(100'000)), "");
}

TEST(ParseMessage, RequiredFieldsMustBeGiven) {
  Transcoding wanted{.message = "kinds2.Wanted"};
  EXPECT_EQ(wanted.problem(R"({"id":1,"need":{"id":"x"}})"), "");
  EXPECT_EQ(wanted.problem(R"({"need":{"id":"x"}})"), "id: this field is required (at byte 18)");
  EXPECT_EQ(wanted.problem(R"({"id":1,"need":{}})"), "need.id: this field is required (at byte 16)");
}

TEST(ParseMessage, GroupsAreRefusedAndExtensionsKnown) {
  Transcoding old{.message = "kinds2.Old"};
  EXPECT_EQ(old.problem(R"({"grouped":{"inner":1}})"), "grouped: groups have no JSON form (at byte 11)");
  EXPECT_EQ(old.round_trip(R"({"[kinds2.ext_int32]":5,"[kinds2.ext_string]":["a"]})"),
            R"({"[kinds2.ext_int32]":5,"[kinds2.ext_string]":["a"]})");
  EXPECT_EQ(old.round_trip(R"({"fInt32":0})"), R"({"fInt32":0})") << "presence";
}

// 100 levels around a long string: had each level moved what is in it, this would take minutes.
TEST(ParseMessage, CostIsLinearWhateverTheNesting) {
  std::string json;
  for (int i = 0; i < 98; ++i) {
    json += R"({"name":"x","sub":)";
  }
  json += R"({"name":")" + std::string(20 << 20, 'y') + "\"}" + std::string(98, '}');
  Transcoding sub{.message = "kinds.Sub"};
  Outcome wire = sub.to_wire(json);
  ASSERT_TRUE(wire.status.ok()) << wire.status.message;
  Outcome back = sub.to_json(wire.bytes);
  ASSERT_TRUE(back.status.ok()) << back.status.message;
  EXPECT_TRUE(back.bytes == json);
}

}  // namespace
}  // namespace transom
