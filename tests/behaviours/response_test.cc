// Behaviours 46 to 49, and response_body: what an answer's body says.
#include <gtest/gtest.h>

#include "behaviours/bench.h"

namespace transom {
namespace {

TEST(Behaviours, N46_AnswersAreProtoJson) {
  Bench bench({"GET /v1"});
  const std::pair<std::string, std::string> cases[] = {
      {R"({"i64":"9007199254740993","u64":1,"f64":2})", R"({"i64":"9007199254740993","u64":"1","f64":"2"})"},
      {R"({"blob":"__8"})", R"({"blob":"//8="})"},
      {R"({"color":1})", R"({"color":"RED"})"},
      {R"({"color":99})", R"({"color":99})"},
      {R"({"dbl":"NaN","flt":"-Infinity"})", R"({"dbl":"NaN","flt":"-Infinity"})"},
      {R"({"labels":{"k":"v"},"flags":{"1":true}})", R"({"labels":{"k":"v"},"flags":{"1":true}})"},
      {R"({"i32":0,"id":"","names":[]})", "{}"},
      {R"({"opt":0,"left":""})", R"({"opt":0,"left":""})"},
  };
  for (const auto& [message, body] : cases) {
    EXPECT_EQ(bench.answer(message), body);
  }
  EXPECT_EQ(bench.content_type(), "application/json");
  bench.json.int64_as_number = true;
  bench.json.always_print_enums_as_ints = true;
  bench.json.preserve_proto_field_names = true;
  EXPECT_EQ(bench.answer(R"({"i64":"9007199254740993","color":"RED","odd":"x"})"),
            R"({"i64":9007199254740993,"color":1,"odd":"x"})");
}

TEST(Behaviours, N47_DefaultsArePrintedOnDemandWhereThereIsNoPresence) {
  Bench bench({"GET /v1 - sub"});
  bench.json.always_print_fields_with_no_presence = true;
  EXPECT_EQ(bench.answer(R"({"sub":{}})"), R"({"name":"","num":0,"names":[]})");
  Bench whole({"GET /v1"});
  whole.json.always_print_fields_with_no_presence = true;
  const std::string body = whole.answer("{}");
  for (const char* part :
       {R"("id":"")", R"("i64":"0")", R"("names":[])", R"("labels":{})", R"("color":"NONE")", R"("b":false)"}) {
    EXPECT_NE(body.find(part), std::string::npos) << part << " in " << body;
  }
  for (const char* name : {"\"sub\"", "\"opt\"", "\"left\"", "\"ts\"", "\"sw\"", "\"any\"", "\"middle\""}) {
    EXPECT_EQ(body.find(name), std::string::npos) << name << " in " << body;
  }
}

TEST(Behaviours, N48_AnHttpBodyIsItsBytesUnderItsType) {
  Bench bench({"GET /raw"}, "google.api.HttpBody", "google.api.HttpBody");
  EXPECT_EQ(bench.answer(R"({"contentType":"text/html","data":"PHA+"})"), "<p>");
  EXPECT_EQ(bench.content_type(), "text/html");
  EXPECT_EQ(bench.answer(R"({"data":"AP8="})"), std::string("\0\xff", 2));
  EXPECT_EQ(bench.content_type(), "application/octet-stream");
  Bench field({"GET /v1 - file"});
  EXPECT_EQ(field.answer(R"({"id":"a","file":{"contentType":"text/html","data":"PHA+"}})"), "<p>");
  EXPECT_EQ(field.content_type(), "text/html");
}

TEST(Behaviours, N49_AnUnknownAnyDoesNotDestroyTheAnswer) {
  Bench bench({"GET /v1"});
  // any { type_url: "x/t.Nope" value: "\x08\x01" }, field 30
  const std::string wire = std::string("\xf2\x01\x0e\x0a\x08x/t.Nope\x12\x02\x08\x01\x18\x07", 19);
  EXPECT_EQ(bench.answer_wire(wire), R"({"any":{"@type":"x/t.Nope","value":"CAE="},"i32":7})");
}

TEST(Behaviours, ResponseBodyMayBeAnyField) {
  const struct {
    const char* field;
    const char* message;
    const char* body;
  } cases[] = {
      {"names", R"({"names":["a","b"]})", R"(["a","b"])"},
      {"names", "{}", "[]"},
      {"numbers", R"({"numbers":[1,2]})", "[1,2]"},
      {"subs", R"({"id":"x","subs":[{"num":1},{}]})", R"([{"num":1},{}])"},
      {"sub", R"({"id":"x","sub":{"num":1}})", R"({"num":1})"},
      {"id", R"({"id":"x","i32":1})", R"("x")"},
      {"id", "{}", R"("")"},
      {"i32", R"({"i32":5})", "5"},
      {"i64", R"({"i64":5})", R"("5")"},
      {"b", "{}", "false"},
      {"color", R"({"color":"RED"})", R"("RED")"},
      {"color", R"({"color":99})", "99"},
      {"labels", R"({"labels":{"k":"v"}})", R"({"k":"v"})"},
      {"labels", "{}", "{}"},
      {"sub_map", R"({"sub_map":{"k":{"num":1}}})", R"({"k":{"num":1}})"},
      {"ts", R"({"ts":"2020-01-01T00:00:00Z"})", R"("2020-01-01T00:00:00Z")"},
      {"dur", R"({"dur":"1.5s"})", R"("1.500s")"},
      {"mask", R"({"mask":"sub.name,i32"})", R"("sub.name,i32")"},
      {"sw", R"({"sw":"s"})", R"("s")"},
      {"object", R"({"object":{"x":[1,null]}})", R"({"x":[1,null]})"},
      {"val", R"({"val":[true]})", "[true]"},
      {"list", R"({"list":[1]})", "[1]"},
      {"any", R"({"any":{"@type":"x/t.Sub","num":1}})", R"({"@type":"x/t.Sub","num":1})"},
      {"blob", R"({"blob":"AP8="})", R"("AP8=")"},
      {"middle", R"({"middle":{"num":2}})", R"({"num":2})"},
      {"odd", R"({"odd":"o"})", R"("o")"},
  };
  for (const auto& row : cases) {
    Bench bench({std::string("GET /v1 - ") + row.field});
    EXPECT_EQ(bench.answer(row.message), row.body) << row.field << " of " << row.message;
  }
}

}  // namespace
}  // namespace transom
