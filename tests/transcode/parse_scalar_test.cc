#include "transcode/parse_scalar.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "transcode/transcoding.h"

namespace transom {
namespace {

struct ScalarCase {
  const char* json;
  const char* answer;  // what comes back, or a part of the problem
};

void check(const std::vector<ScalarCase>& cases) {
  for (const ScalarCase& c : cases) {
    std::string text = Transcoding().round_trip(c.json);
    if (c.answer[0] == '{') {
      EXPECT_EQ(text, c.answer) << c.json;
    } else {
      EXPECT_NE(text.find(c.answer), std::string::npos) << c.json << " -> " << text;
    }
  }
}

TEST(ParseScalar, Fact35IntegersAreExactAndInRange) {
  check({
      {R"({"fInt32":1.0})", R"({"fInt32":1})"},
      {R"({"fInt32":1e2})", R"({"fInt32":100})"},
      {R"({"fInt32":"5"})", R"({"fInt32":5})"},
      {R"({"fInt32":"1e2"})", R"({"fInt32":100})"},
      {R"({"fInt32":-0})", "{}"},
      {R"({"fUint32":-0})", "{}"},
      {R"({"fInt32":"2147483\u0036\u00347"})", R"({"fInt32":2147483647})"},
      {R"({"fInt32":-2147483648})", R"({"fInt32":-2147483648})"},
      {R"({"fInt64":9007199254740993})", R"({"fInt64":"9007199254740993"})"},
      {R"({"fInt64":-9223372036854775808})", R"({"fInt64":"-9223372036854775808"})"},
      {R"({"fUint64":18446744073709551615})", R"({"fUint64":"18446744073709551615"})"},
      {R"({"fSint64":"-9223372036854775808"})", R"({"fSint64":"-9223372036854775808"})"},
      {R"({"fFixed64":1.8446744073709551615e19})", R"({"fFixed64":"18446744073709551615"})"},
      {R"({"fInt32":1.5})", "fInt32: expected an integer, found 1.5 (at byte 10)"},
      {R"({"fInt32":""})", "fInt32: expected a number, found a string (at byte 10)"},
      {R"({"fInt32":" 5"})", "expected a number, found a string"},
      {R"({"fInt32":"5 "})", "expected a number, found a string"},
      {R"({"fInt32":"0x5"})", "expected a number, found a string"},
      {R"({"fInt32":"05"})", "expected a number, found a string"},
      {R"({"fInt32":"+5"})", "expected a number, found a string"},
      {R"({"fInt32":"NaN"})", "expected a number, found a string"},
      {R"({"fInt32":true})", "expected a number, found a boolean"},
      {R"({"fInt32":01})", "a number that JSON does not have"},
      {R"({"fInt32":[1]})", "expected a number, found an array"},
      {R"({"fInt32":2147483648})", "expected an integer from -2147483648 to 2147483647, found 2147483648"},
      {R"({"fInt32":-2147483649})", "expected an integer from -2147483648"},
      {R"({"fUint32":4294967296})", "expected an integer from 0 to 4294967295"},
      {R"({"fUint32":-1})", "expected an integer from 0 to 4294967295, found -1"},
      {R"({"fInt64":9223372036854775808})", "expected an integer from -9223372036854775808"},
      {R"({"fUint64":18446744073709551616})", "expected an integer from 0 to 18446744073709551615"},
      {R"({"fUint64":1e999999999})", "expected an integer from 0 to 18446744073709551615"},
  });
}

TEST(ParseScalar, Fact36FloatsAreNearestAndInRange) {
  check({
      {R"({"fDouble":"NaN"})", R"({"fDouble":"NaN"})"},
      {R"({"fDouble":"-Infinity","fFloat":"Infinity"})", R"({"fDouble":"-Infinity","fFloat":"Infinity"})"},
      {R"({"fDouble":"1.5"})", R"({"fDouble":1.5})"},
      {R"({"fDouble":-0.0})", R"({"fDouble":-0.0})"},
      {R"({"fFloat":-0})", R"({"fFloat":-0.0})"},
      {R"({"fDouble":1e-400})", "{}"},
      {R"({"fFloat":0.1})", R"({"fFloat":0.1})"},
      {R"({"fFloat":3.4028235e38})", R"({"fFloat":3.4028235e+38})"},
      {R"({"fFloat":16777217.000000001})", R"({"fFloat":16777218})"},
      {R"({"fFloat":1e-45})", R"({"fFloat":1e-45})"},
      {R"({"fDouble":1e400})", "fDouble: too large for a double: 1e400"},
      {R"({"fFloat":3.4e39})", "fFloat: too large for a float: 3.4e39"},
      {R"({"fFloat":"1e39"})", "too large for a float"},
      {R"({"fFloat":"nan"})", "expected a number, found a string"},
      {R"({"fFloat":NaN})", "expected a number, found a character that begins no JSON value"},
      {R"({"fFloat":-Infinity})", "a number that JSON does not have"},
      {R"({"rFloat":[1,"x"]})", "rFloat[1]: expected a number, found a string (at byte 13)"},
  });
}

TEST(ParseScalar, BoolsStringsBytesAndEnumsAreOnlyThat) {
  check({
      {R"({"fBool":true})", R"({"fBool":true})"},
      {R"({"fBool":"true"})", "fBool: expected true or false, found a string"},
      {R"({"fBool":1})", "expected true or false, found a number"},
      {R"({"fString":1})", "fString: expected a string, found a number"},
      {R"({"fString":"\u0000\ud83d\ude00\/"})", "{\"fString\":\"\\u0000\U0001F600/\"}"},
      {R"({"fString":"\ud83d"})", "half of a surrogate pair"},
      {R"({"fBytes":"__8"})", R"({"fBytes":"//8="})"},
      {R"({"fBytes":"__8="})", R"({"fBytes":"//8="})"},
      {R"({"fBytes":"//8"})", R"({"fBytes":"//8="})"},
      {R"({"fBytes":"\/\/8="})", R"({"fBytes":"//8="})"},
      {R"({"fBytes":"a"})", "fBytes: expected a string of base64"},
      {R"({"fBytes":"a b="})", "expected a string of base64"},
      {R"({"fColor":"RED"})", R"({"fColor":"RED"})"},
      {R"({"fColor":-3})", R"({"fColor":"BLUE"})"},
      {R"({"fColor":99})", R"({"fColor":99})"},
      {R"({"fColor":"red"})", "fColor: \"red\" is no value of enum kinds.Color"},
      {R"({"fColor":"1"})", "\"1\" is no value of enum kinds.Color"},
      {R"({"fColor":1.5})", "expected an integer, found 1.5"},
      {R"({"fColor":2147483648})", "expected an integer from -2147483648"},
      {R"({"fColor":true})", "expected a name or number of enum kinds.Color, found a boolean"},
      {R"({"alias":"ALIAS_SECOND"})", R"({"alias":"ALIAS_FIRST"})"},
  });
}

TEST(ParseScalar, ClosedEnumsHaveNoOtherNumbers) {
  Transcoding old{.message = "kinds2.Old"};
  EXPECT_EQ(old.round_trip(R"({"fSize":5,"rSize":["SMALL",5]})"), R"({"fSize":"LARGE","rSize":["SMALL","LARGE"]})");
  EXPECT_NE(old.problem(R"({"fSize":2})"), "");
  old.options.strictness.set(Slip::UnknownField, Verdict::Ignore);
  EXPECT_EQ(old.round_trip(
                R"({"fSize":2,"rSize":[1,"NONE",7,5],"pSize":[2,1],"mLevel":{"a":"NONE","b":"HIGH"},"fBool":true})"),
            R"({"rSize":["SMALL","LARGE"],"pSize":["SMALL"],"mLevel":{"b":"HIGH"},"fBool":true})");
}

TEST(ParseScalar, EnumsMayIgnoreCaseByOption) {
  Transcoding lax;
  lax.options.case_insensitive_enums = true;
  EXPECT_EQ(lax.round_trip(R"({"fColor":"rEd"})"), R"({"fColor":"RED"})");
}

}  // namespace
}  // namespace transom
