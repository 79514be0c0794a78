#include "transcode/bind_values.h"

#include <gtest/gtest.h>

#include "transcode/bindings.h"

namespace transom {
namespace {

TEST(BindValues, Fact43PathBeatsBody) {
  BoundRequest request;
  request.path("fString", "path");
  request.body(R"({"fString":"body","fInt32":5})");
  EXPECT_EQ(request.answer(), R"({"fInt32":5,"fString":"path"})");
  request.body(R"({"f_string":{"any":["thing"]},"fInt32":5})");
  EXPECT_EQ(request.answer(), R"({"fInt32":5,"fString":"path"})");
  request.options.strictness.set(Slip::BoundField, Verdict::Reject);
  EXPECT_EQ(request.answer(), "fString: the path sets this field (at byte 1)");
}

TEST(BindValues, Fact43ADefaultFromThePathBeatsTheBodyToo) {
  BoundRequest request;
  request.path("fInt32", "0");
  request.path("fSub.num", "0");
  request.body(R"({"fInt32":5,"fSub":{"num":5,"name":"n"}})");
  EXPECT_EQ(request.answer(), R"({"fSub":{"name":"n"}})");
}

TEST(BindValues, Fact16NestedPathFieldsLeaveTheirSiblingsToTheBody) {
  BoundRequest request;
  request.path("fSub.name", "path");
  request.body(R"({"fSub":{"name":"body","num":5,"sub":{"name":"inner"}}})");
  EXPECT_EQ(request.answer(), R"({"fSub":{"name":"path","num":5,"sub":{"name":"inner"}}})");
}

TEST(BindValues, Fact16PathBeatsQueryButNotItsSiblings) {
  BoundRequest request;
  request.path("fSub.name", "path");
  request.query("fSub.name", "query");
  request.query("fSub.num", "5");
  EXPECT_EQ(request.answer(), R"({"fSub":{"name":"path","num":5}})");
  request.options.strictness.set(Slip::BoundField, Verdict::Reject);
  EXPECT_EQ(request.answer(), "query parameter fSub.name: the path or the body sets this field");
}

TEST(BindValues, Fact30BodyBeatsQuery) {
  BoundRequest whole;
  whole.body(R"({"fInt32":5})");
  whole.query("fString", "query");
  EXPECT_EQ(whole.answer(), R"({"fInt32":5})");
  BoundRequest field;
  field.body_field("fSub", R"({"num":5})");
  field.query("fSub.name", "query");
  field.query("fString", "query");
  EXPECT_EQ(field.answer(), R"({"fSub":{"num":5},"fString":"query"})");
}

TEST(BindValues, Fact17ASingularFieldIsGivenOnce) {
  BoundRequest request;
  request.query("fInt32", "1");
  request.query("fInt32", "2");
  EXPECT_EQ(request.answer(), "query parameter fInt32: this field is given twice");
}

TEST(BindValues, Fact24RepeatedFieldsKeepTheirOrder) {
  BoundRequest request;
  request.query("rString", "b");
  request.query("rColor", "GREEN");
  request.query("rString", "a,b");
  request.query("rColor", "1");
  request.query("rInt32", "3");
  request.query("rInt32", "0");
  request.query("uInt32", "0");
  EXPECT_EQ(request.answer(), R"({"rInt32":[3,0],"rString":["b","a,b"],"rColor":["GREEN","RED"],"uInt32":[0]})");
}

TEST(BindValues, Fact26MapsTakeTheirKeys) {
  BoundRequest request;
  request.query("mString", "1", "a");
  request.query("mInt32", "2", "-7");
  request.query("mString", "", "b");
  EXPECT_EQ(request.answer(), R"({"mString":{"a":"1","b":""},"mInt32":{"-7":2}})");
  request.query("mString", "3", "a");
  EXPECT_EQ(request.answer(), "query parameter mString: this key is given twice");
  BoundRequest wrong;
  wrong.query("mInt32", "2", "x");
  EXPECT_EQ(wrong.answer(), "query parameter mInt32: expected a decimal integer, found \"x\"");
}

TEST(BindValues, Fact28TwoMembersOfOneOneofAreRefused) {
  BoundRequest query;
  query.query("oneInt32", "1");
  query.query("oneString", "a");
  EXPECT_EQ(query.answer(), "query parameter oneString: another member of the same oneof is given too");
  BoundRequest path;
  path.path("oneInt32", "1");
  path.body(R"({"oneString":"a"})");
  EXPECT_EQ(path.answer(), "oneString: the path sets another member of the same oneof (at byte 1)");
  BoundRequest field;
  field.path("oneInt32", "1");
  field.body_field("oneString", R"("a")");
  EXPECT_EQ(field.answer(), "path variable oneInt32: another member of the same oneof is given too");
}

TEST(BindValues, Fact31AnEmptyBodyIsTheBindingsAlone) {
  BoundRequest request;
  request.path("fString", "path");
  request.body("");
  EXPECT_EQ(request.answer(), R"({"fString":"path"})");
  request.body(" ");
  EXPECT_EQ(request.answer(), "expected an object, found the end of the text (at byte 1)");
}

TEST(BindValues, Fact42TheBodyMayBeOneField) {
  struct {
    const char* field;
    const char* json;
    const char* answer;
  } cases[] = {
      {"fSub", R"({"name":"n"})", R"({"fSub":{"name":"n"}})"},
      {"rSub", R"([{"name":"n"},{}])", R"({"rSub":[{"name":"n"},{}]})"},
      {"rFloat", "[1,2]", R"({"rFloat":[1,2]})"},
      {"mInt32", R"({"1":2})", R"({"mInt32":{"1":2}})"},
      {"fString", R"("s")", R"({"fString":"s"})"},
      {"fInt32", "5", R"({"fInt32":5})"},
      {"wTimestamp", R"("2020-01-01T00:00:00Z")", R"({"wTimestamp":"2020-01-01T00:00:00Z"})"},
      {"wValue", "null", R"({"wValue":null})"},
      {"fSub", "[]", "expected an object, found an array (at byte 0)"},
      {"rSub", "{}", "expected an array, found an object (at byte 0)"},
      {"fInt32", "null", "expected a value, found null (at byte 0)"},
      {"rFloat", "[1,2] x", "expected nothing more, found a character that begins no JSON value (at byte 6)"},
  };
  for (const auto& c : cases) {
    BoundRequest request;
    request.body_field(c.field, c.json);
    EXPECT_EQ(request.answer(), c.answer) << c.field;
  }
}

TEST(BindValues, Fact42ThePathBindsInsideTheBodysField) {
  BoundRequest request;
  request.path("fSub.name", "path");
  request.body_field("fSub", R"({"name":"body","num":1})");
  EXPECT_EQ(request.answer(), R"({"fSub":{"name":"path","num":1}})");
}

TEST(BindValues, Fact44ABodyThatTheRuleDoesNotTakeIsIgnored) {
  BoundRequest request;
  request.query("fInt32", "1");
  request.ignored_body("{not json");
  EXPECT_EQ(request.answer(), R"({"fInt32":1})");
}

TEST(BindValues, RequiredFieldsMayComeFromThePath) {
  BoundRequest request("kinds2.Wanted");
  request.path("id", "7");
  request.path("need.id", "x");
  request.body(R"({"name":"n","need":{"num":1}})");
  EXPECT_EQ(request.answer(), R"({"id":7,"need":{"id":"x","num":1},"name":"n"})");
  BoundRequest missing("kinds2.Wanted");
  missing.path("id", "7");
  EXPECT_EQ(missing.answer(), "need: this field is required (at byte 0)");
}

TEST(BindValues, ManyBindingsAreNoQuadraticMatter) {
  BoundRequest request;
  for (int i = 0; i < 20'000; ++i) {
    request.query("rInt32", std::to_string(i));
  }
  EXPECT_EQ(request.answer().size(), std::string(R"({"rInt32":[]})").size() + 20'000 * 5 - 11'110 + 20'000 - 1);
}

}  // namespace
}  // namespace transom
