#include "transcode/binding_text.h"

#include <gtest/gtest.h>

#include "transcode/bindings.h"

namespace transom {
namespace {

struct TextCase {
  const char* field;
  std::string text;
  const char* answer;  // the JSON that comes back, or a part of the problem
};

void check(const std::vector<TextCase>& cases) {
  for (const TextCase& c : cases) {
    BoundRequest request;
    request.query(c.field, c.text);
    std::string answer = request.answer();
    if (c.answer[0] == '{') {
      EXPECT_EQ(answer, c.answer) << c.field << "=" << c.text;
    } else {
      EXPECT_NE(answer.find(c.answer), std::string::npos) << c.field << "=" << c.text << " -> " << answer;
    }
  }
}

TEST(BindingText, Fact15And18NumbersArePlainDecimal) {
  check({
      {"fInt64", "9223372036854775807", R"({"fInt64":"9223372036854775807"})"},
      {"fInt32", "-5", R"({"fInt32":-5})"},
      {"fInt32", "0", "{}"},
      {"oInt32", "0", R"({"oInt32":0})"},
      {"fDouble", "1.5e3", R"({"fDouble":1500})"},
      {"fFloat", "NaN", R"({"fFloat":"NaN"})"},
      {"fInt64", "9223372036854775808", "query parameter fInt64: expected an integer from -9223372036854775808"},
      {"fInt64", "abc", "query parameter fInt64: expected a decimal integer"},
      {"fInt32", "0x10", "expected a decimal integer"},
      {"fInt32", "1.5", "expected a decimal integer"},
      {"fInt32", "1.0", "expected a decimal integer"},
      {"fInt32", "1e2", "expected a decimal integer"},
      {"fInt32", "", "expected a decimal integer"},
      {"fInt32", " 5", "expected a decimal integer"},
      {"fInt32", "+5", "expected a decimal integer"},
      {"fInt32", "05", "expected a decimal integer"},
      {"fInt32", std::string("5\0", 2), "expected a decimal integer"},
      {"fUint32", "-1", "expected an integer from 0"},
      {"fDouble", "1e400", "too large"},
      {"fFloat", "1e39", "too large"},
      {"fDouble", "", "expected a number"},
      {"fDouble", "nan", "expected a number"},
  });
}

TEST(BindingText, Fact19BoolsAreTrueOrFalse) {
  check({
      {"fBool", "true", R"({"fBool":true})"},
      {"oneBool", "false", R"({"oneBool":false})"},
      {"fBool", "1", "expected true or false"},
      {"fBool", "TRUE", "expected true or false"},
      {"fBool", "", "expected true or false"},
  });
}

TEST(BindingText, Fact20EnumsAreNamesOrNumbers) {
  check({
      {"fColor", "RED", R"({"fColor":"RED"})"},
      {"fColor", "1", R"({"fColor":"RED"})"},
      {"fColor", "-3", R"({"fColor":"BLUE"})"},
      {"fColor", "99", R"({"fColor":99})"},
      {"fColor", "red", "expected a name or number of enum kinds.Color"},
      {"fColor", "", "expected a name or number of enum kinds.Color"},
  });
}

TEST(BindingText, Fact14And21StringsAreUtf8AndBytesAnyBase64) {
  check({
      {"fString", "\xc3\xa9", "{\"fString\":\"\xc3\xa9\"}"},
      {"fString", std::string("\0", 1), R"({"fString":"\u0000"})"},
      {"fString", "\xff", "query parameter fString: expected UTF-8"},
      {"fBytes", "__8", R"({"fBytes":"//8="})"},
      {"fBytes", "__8=", R"({"fBytes":"//8="})"},
      {"fBytes", "//8", R"({"fBytes":"//8="})"},
      {"fBytes", "//8=", R"({"fBytes":"//8="})"},
      {"fBytes", "a", "expected base64"},
  });
}

TEST(BindingText, Fact22And23WellKnownTypesHaveTextForms) {
  check({
      {"wTimestamp", "2020-01-01T00:00:00+01:00", R"({"wTimestamp":"2019-12-31T23:00:00Z"})"},
      {"wTimestamp", "2020-01-01T00:00:00 01:00", R"({"wTimestamp":"2019-12-31T23:00:00Z"})"},
      {"wTimestamp", "2020-01-01 00:00:00Z", "expected a timestamp"},
      {"wDuration", "1.5s", R"({"wDuration":"1.500s"})"},
      {"wDuration", "1m", "expected a duration"},
      {"wMask", "sub.name,i32", R"({"wMask":"sub.name,i32"})"},
      {"wMask", "subMap", R"({"wMask":"subMap"})"},
      {"wString", "hello", R"({"wString":"hello"})"},
      {"wString", "", R"({"wString":""})"},
      {"wString.value", "hello", R"({"wString":"hello"})"},
      {"wInt32", "5", R"({"wInt32":5})"},
      {"wBool", "1", "expected true or false"},
      {"wStruct", "{}", "google.protobuf.Struct cannot be given as text"},
      {"fSub", "x", "kinds.Sub cannot be given as text"},
      {"rSub", "x", "kinds.Sub cannot be given as text"},
  });
}

}  // namespace
}  // namespace transom
