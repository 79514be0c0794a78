// Behaviours 31 to 45: what a request's body says.
#include <gtest/gtest.h>

#include "behaviours/bench.h"

namespace transom {
namespace {

const std::vector<std::string> kWhole = {"POST /v1 *"};

TEST(Behaviours, N31_AnEmptyBodyIsTheBindingsAndOnlyAnObjectIsAMessage) {
  Bench bench({"POST /v1/{id} *"});
  expect_posts(bench, "/v1/a",
               {{"", R"({"id":"a"})"},
                {"{}", R"({"id":"a"})"},
                {" ", "400"},
                {"\n", "400"},
                {"null", "400"},
                {"[]", "400"},
                {R"("s")", "400"},
                {"5", "400"},
                {"true", "400"}});
}

TEST(Behaviours, N32_NothingMayFollowTheValue) {
  Bench bench(kWhole);
  expect_posts(bench, "/v1",
               {{"{} ", "{}"},
                {"{}\r\n\t", "{}"},
                {"{} x", "400"},
                {"{}{}", "400"},
                {"{},", "400"},
                {std::string("{}\0", 3), "400"}});
}

TEST(Behaviours, N33_OnlyJsonIsJson) {
  Bench bench(kWhole);
  expect_posts(bench, "/v1",
               {{R"({"i32":1,})", "400"},
                {R"({"numbers":[1,]})", "400"},
                {"{i32:1}", "400"},
                {"{'i32':1}", "400"},
                {"{} // c", "400"},
                {"/* c */{}", "400"},
                {R"({"i32":01})", "400"},
                {R"({"i32":+1})", "400"},
                {R"({"dbl":.5})", "400"},
                {R"({"dbl":5.})", "400"},
                {R"({"dbl":NaN})", "400"},
                {R"({"dbl":Infinity})", "400"},
                {"{\"id\":\"a\tb\"}", "400"},
                {"{\"id\":\"a\nb\"}", "400"},
                {"\xef\xbb\xbf{}", "400"},
                {R"({"id":"\ud800"})", "400"},
                {R"({"id":"\udc00\ud800"})", "400"},
                {R"({"id":"\x"})", "400"},
                {"{\"id\":\"\xff\"}", "400"},
                {R"({"id":"\ud83d\ude00"})", "{\"id\":\"\xf0\x9f\x98\x80\"}"},
                {R"({"b":TRUE})", "400"},
                {R"({"i32" 1})", "400"},
                {"{", "400"},
                {R"({"i32":1)", "400"}});
}

TEST(Behaviours, N34_UnknownMembersAre400OrLetPass) {
  Bench bench(kWhole);
  const std::vector<std::pair<std::string, std::string>> passed = {
      {R"({"nope":1,"i32":5})", R"({"i32":5})"},
      {R"({"sub":{"nope":[{"a":1}]}})", R"({"sub":{}})"},
      {R"({"subs":[{},{"nope":1}]})", R"({"subs":[{},{}]})"}};
  for (const auto& [body, outcome] : passed) {
    EXPECT_EQ(bench.post("/v1", body), "400");
  }
  bench.post("/v1", R"({"subs":[{},{"sub":{"nope":1}}]})");
  EXPECT_EQ(bench.why(), "subs[1].sub.nope: no such field in t.Sub (at byte 20)");
  bench.json.strictness.set(Slip::UnknownField, Verdict::Ignore);
  expect_posts(bench, "/v1", passed);
  EXPECT_TRUE(bench.slips().empty());
  bench.json.strictness.set(Slip::UnknownField, Verdict::Report);
  expect_posts(bench, "/v1", passed);
  EXPECT_EQ(bench.slips().text(), "unknown_field");
}

TEST(Behaviours, N34_DuplicateKeysAre400OrTheLastWins) {
  Bench bench(kWhole);
  const std::vector<std::pair<std::string, std::string>> passed = {
      {R"({"i32":1,"i32":2})", R"({"i32":2})"},
      {R"({"odd":"a","weird-Name":"b"})", R"({"weird-Name":"b"})"},
      {R"({"names":["a"],"names":["b"]})", R"({"names":["b"]})"},
      {R"({"sub":{"num":1},"sub":{"name":"b"}})", R"({"sub":{"name":"b"}})"},
      {R"({"labels":{"k":"a","k":"b"}})", R"({"labels":{"k":"b"}})"}};
  for (const auto& [body, outcome] : passed) {
    EXPECT_EQ(bench.post("/v1", body), "400") << body;
  }
  for (const Verdict verdict : {Verdict::Ignore, Verdict::Report}) {
    bench.json.strictness.set(Slip::DuplicateKey, verdict);
    for (const auto& [body, outcome] : passed) {
      EXPECT_EQ(bench.post("/v1", body), outcome);
      EXPECT_EQ(bench.slips().text(), verdict == Verdict::Report ? "duplicate_key" : "") << body;
    }
    expect_posts(bench, "/v1", {{R"({"left":"a","right":"b"})", "400"}});
    EXPECT_EQ(bench.post("/v1", R"({"labels":{"k":"a","l":"b"}})"), R"({"labels":{"k":"a","l":"b"}})");
    EXPECT_TRUE(bench.slips().empty());
  }
}

TEST(Behaviours, N35_IntegersMayHaveZeroFractionsAndStandInStrings) {
  Bench bench(kWhole);
  expect_posts(bench, "/v1",
               {{R"({"i32":1.0})", R"({"i32":1})"},
                {R"({"i32":1e2})", R"({"i32":100})"},
                {R"({"i32":"5"})", R"({"i32":5})"},
                {R"({"i32":1.5})", "400"},
                {R"({"i32":""})", "400"},
                {R"({"i32":" 5"})", "400"},
                {R"({"i32":true})", "400"},
                {R"({"i32":2147483648})", "400"},
                {R"({"u32":-1})", "400"},
                {R"({"i32":"01"})", "400"},
                {R"({"i64":9007199254740993})", R"({"i64":"9007199254740993"})"},
                {R"({"u64":18446744073709551615})", R"({"u64":"18446744073709551615"})"}});
}

TEST(Behaviours, N36_DoublesHaveTheirNamesTheirSignAndTheirBounds) {
  Bench bench(kWhole);
  expect_posts(bench, "/v1",
               {{R"({"dbl":"NaN"})", R"({"dbl":"NaN"})"},
                {R"({"dbl":"Infinity"})", R"({"dbl":"Infinity"})"},
                {R"({"dbl":"-Infinity"})", R"({"dbl":"-Infinity"})"},
                {R"({"dbl":"1.5"})", R"({"dbl":1.5})"},
                {R"({"dbl":1e400})", "400"},
                {R"({"exact":-0.0})", R"({"exact":-0.0})"},
                {R"({"flt":3.4e39})", "400"},
                {R"({"dbl":"x"})", "400"},
                {R"({"dbl":null})", "{}"}});
}

TEST(Behaviours, N37_NullIsAbsenceSaveWhereItIsAValue) {
  Bench bench(kWhole);
  expect_posts(
      bench, "/v1",
      {{R"({"id":null,"i32":null,"sub":null,"names":null,"labels":null,"sw":null,"ts":null,"opt":null})", "{}"},
       {R"({"left":null,"right":"b"})", R"({"right":"b"})"},
       {R"({"val":null})", R"({"val":null})"},
       {R"({"nil":null})", "{}"},
       {R"({"list":[null]})", R"({"list":[null]})"},
       {R"({"object":{"a":null}})", R"({"object":{"a":null}})"},
       {R"({"names":[null]})", "400"},
       {R"({"subs":[null]})", "400"},
       {R"({"labels":{"k":null}})", "400"},
       {R"({"sub_map":{"k":null}})", "400"}});
}

TEST(Behaviours, N38_TimesAreReadWithOffsetsAndWrittenAsZ) {
  Bench bench(kWhole);
  const std::pair<const char*, const char*> times[] = {
      {"2020-01-01T00:00:00Z", "2020-01-01T00:00:00Z"},
      {"2020-01-01T00:00:00+01:00", "2019-12-31T23:00:00Z"},
      {"2020-01-01T00:00:00.1Z", "2020-01-01T00:00:00.100Z"},
      {"2020-01-01T00:00:00.1234Z", "2020-01-01T00:00:00.123400Z"},
      {"2020-01-01T00:00:00.1234567Z", "2020-01-01T00:00:00.123456700Z"},
      {"9999-12-31T23:59:59.999999999Z", "9999-12-31T23:59:59.999999999Z"},
      {"0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"},
      {"0000-01-01T00:00:00Z", nullptr},
      {"2020-13-01T00:00:00Z", nullptr},
      {"2021-02-29T00:00:00Z", nullptr},
      {"2020-01-01T00:00:00", nullptr},
      {"2020-01-01", nullptr}};
  for (const auto& [text, outcome] : times) {
    expect_posts(bench, "/v1",
                 {{std::string(R"({"ts":")") + text + "\"}",
                   outcome == nullptr ? "400" : std::string(R"({"ts":")") + outcome + "\"}"}});
  }
  const std::pair<const char*, const char*> durations[] = {{"315576000000s", "315576000000s"},
                                                           {"-315576000000s", "-315576000000s"},
                                                           {"315576000001s", nullptr},
                                                           {"-0.5s", "-0.500s"},
                                                           {"1.000000001s", "1.000000001s"},
                                                           {"1.0000000001s", nullptr},
                                                           {"1", nullptr},
                                                           {"1m", nullptr}};
  for (const auto& [text, outcome] : durations) {
    expect_posts(bench, "/v1",
                 {{std::string(R"({"dur":")") + text + "\"}",
                   outcome == nullptr ? "400" : std::string(R"({"dur":")") + outcome + "\"}"}});
  }
}

TEST(Behaviours, N39_AnAnysTypeMayStandAnywhere) {
  Bench bench(kWhole);
  expect_posts(bench, "/v1",
               {{R"({"any":{"@type":"type.googleapis.com/t.Sub","num":5}})",
                 R"({"any":{"@type":"type.googleapis.com/t.Sub","num":5}})"},
                {R"({"any":{"num":5,"@type":"type.googleapis.com/t.Sub"}})",
                 R"({"any":{"@type":"type.googleapis.com/t.Sub","num":5}})"},
                {R"({"any":{"value":"1.5s","@type":"type.googleapis.com/google.protobuf.Duration"}})",
                 R"({"any":{"@type":"type.googleapis.com/google.protobuf.Duration","value":"1.500s"}})"},
                {R"({"any":{}})", R"({"any":{}})"},
                {R"({"any":{"@type":"type.googleapis.com/t.Nope"}})", "400"},
                {R"({"any":{"num":5}})", "400"}});
}

TEST(Behaviours, N40_ARepeatedFieldIsAnArray) {
  Bench bench(kWhole);
  expect_posts(bench, "/v1",
               {{R"({"names":"a"})", "400"},
                {R"({"numbers":5})", "400"},
                {R"({"subs":{}})", "400"},
                {R"({"names":["a"]})", R"({"names":["a"]})"}});
}

std::string repeated(std::string_view text, int count) {
  std::string all;
  for (int i = 0; i < count; ++i) {
    all += text;
  }
  return all;
}

std::string nested_subs(int depth) { return repeated(R"({"sub":)", depth - 1) + "{}" + repeated("}", depth - 1); }

TEST(Behaviours, N41_AHundredLevelsPassBothWays) {
  Bench bench(kWhole);
  EXPECT_EQ(bench.post("/v1", nested_subs(100)), nested_subs(100));
  EXPECT_EQ(bench.post("/v1", nested_subs(101)), "400");
  EXPECT_EQ(bench.post("/v1", nested_subs(100'000)), "400");
  const std::string lists = R"({"list":)" + repeated("[", 40) + repeated("]", 40) + "}";
  EXPECT_EQ(bench.post("/v1", lists), lists);
  EXPECT_EQ(bench.post("/v1", R"({"list":)" + repeated("[", 100) + repeated("]", 100) + "}"), "400");
  bench.json.strictness.set(Slip::UnknownField, Verdict::Ignore);
  EXPECT_EQ(bench.post("/v1", R"({"x":)" + std::string(100'000, '[') + std::string(100'000, ']') + "}"), "400");
  std::string wire;
  for (int i = 0; i < 101; ++i) {
    std::string length;
    for (size_t left = wire.size();; left >>= 7) {
      length.push_back(static_cast<char>(left >= 0x80 ? (left & 0x7f) | 0x80 : left));
      if (left < 0x80) {
        break;
      }
    }
    wire = (i == 100 ? "\x12" : "\x1a") + length + wire;  // In.sub, Sub.sub
  }
  EXPECT_EQ(bench.answer_wire(wire), "500");
}

TEST(Behaviours, N42_TheBodyMayBeAnyOneField) {
  const struct {
    const char* field;
    const char* body;
    const char* outcome;
  } cases[] = {{"sub", R"({"name":"n"})", R"({"id":"a","sub":{"name":"n"}})"},
               {"subs", R"([{"name":"n"},{}])", R"({"id":"a","subs":[{"name":"n"},{}]})"},
               {"subs", "{}", "400"},
               {"numbers", "[1,2]", R"({"id":"a","numbers":[1,2]})"},
               {"names", R"("a")", "400"},
               {"i32", "5", R"({"id":"a","i32":5})"},
               {"i32", "null", "400"},
               {"i64", R"("5")", R"({"id":"a","i64":"5"})"},
               {"b", "true", R"({"id":"a","b":true})"},
               {"color", R"("RED")", R"({"id":"a","color":"RED"})"},
               {"blob", R"("__8=")", R"({"id":"a","blob":"//8="})"},
               {"labels", R"({"k":"v"})", R"({"id":"a","labels":{"k":"v"}})"},
               {"ts", R"("2020-01-01T00:00:00Z")", R"({"id":"a","ts":"2020-01-01T00:00:00Z"})"},
               {"sw", R"("s")", R"({"id":"a","sw":"s"})"},
               {"val", "null", R"({"id":"a","val":null})"},
               {"object", R"({"x":[1]})", R"({"id":"a","object":{"x":[1]}})"},
               {"left", R"("l")", R"({"id":"a","left":"l"})"},
               {"opt", "0", R"({"id":"a","opt":0})"},
               {"sub", "", R"({"id":"a"})"}};
  for (const auto& row : cases) {
    Bench bench({std::string("PUT /v1/{id} ") + row.field});
    expect_outcomes(bench, {{{"PUT", "/v1/a", row.body}, row.outcome}});
  }
  Bench bench({"PUT /v1/{id} sub"});
  expect_outcomes(bench,
                  {{{"PUT", "/v1/a?i32=5&sub.name=q", R"({"num":1})"}, R"({"id":"a","sub":{"num":1},"i32":5})"}});
}

TEST(Behaviours, N43_ThePathBeatsTheBodyAlways) {
  Bench flat({"POST /v1/{id} *", "POST /i/{i64} *", "POST /o/{odd} *"});
  expect_outcomes(flat, {{{"POST", "/v1/a", R"({"id":"b","i32":1})"}, R"({"id":"a","i32":1})"},
                         {{"POST", "/v1/a", R"({"id":{"any":"thing"}})"}, R"({"id":"a"})"},
                         {{"POST", "/i/0", R"({"i64":"5"})"}, "{}"},
                         {{"POST", "/i/-1", R"({"i64":4294967295})"}, R"({"i64":"-1"})"},
                         {{"POST", "/i/4294967297", R"({"i64":1})"}, R"({"i64":"4294967297"})"},
                         {{"POST", "/o/a", R"({"odd":"b"})"}, R"({"weird-Name":"a"})"},
                         {{"POST", "/o/a", R"({"weird-Name":"b"})"}, R"({"weird-Name":"a"})"}});
  Bench nested({"POST /n/{sub.name} *", "POST /d/{sub.sub.num} *", "PUT /b/{sub.name} sub"});
  expect_outcomes(nested,
                  {{{"POST", "/n/a", R"({"sub":{"name":"b","num":5,"sub":{"name":"c"}}})"},
                    R"({"sub":{"name":"a","num":5,"sub":{"name":"c"}}})"},
                   {{"POST", "/n/a", R"({"sub":null})"}, R"({"sub":{"name":"a"}})"},
                   {{"POST", "/d/0", R"({"sub":{"sub":{"num":5,"name":"x"}}})"}, R"({"sub":{"sub":{"name":"x"}}})"},
                   {{"PUT", "/b/a", R"({"name":"b","num":5})"}, R"({"sub":{"name":"a","num":5}})"}});
  // A value that has a JSON form of its own is passed over as a whole, its default included.
  Bench own({"POST /s/{sw.value} *", "POST /i/{iw.value} *", "POST /t/{ts.seconds} *", "PUT /b/{iw.value} iw",
             "POST /v/{val.string_value} *"});
  expect_outcomes(own, {{{"POST", "/s/a", R"({"sw":"b"})"}, R"({"sw":"a"})"},
                        {{"POST", "/i/0", R"({"iw":5})"}, R"({"iw":0})"},
                        {{"POST", "/t/0", R"({"ts":"2020-01-01T00:00:00.5Z"})"}, R"({"ts":"1970-01-01T00:00:00Z"})"},
                        {{"PUT", "/b/0", "5"}, R"({"iw":0})"},
                        {{"POST", "/v/a", R"({"val":5})"}, R"({"val":"a"})"}});
  Bench oneof({"POST /l/{left} *"});
  expect_outcomes(
      oneof, {{{"POST", "/l/a", R"({"right":"b"})"}, "400"}, {{"POST", "/l/a", R"({"left":"b"})"}, R"({"left":"a"})"}});
}

TEST(Behaviours, N43_StrictBindingsMakeAConflictingBody400) {
  Bench bench({"POST /v1/{sub.name} *", "POST /s/{sw.value} *", "PUT /b/{iw.value} iw"});
  bench.json.strictness.set(Slip::BoundField, Verdict::Reject);
  expect_outcomes(bench, {{{"POST", "/v1/a", R"({"sub":{"name":"b"}})"}, "400"},
                          {{"POST", "/v1/a", R"({"sub":{"num":5}})"}, R"({"sub":{"name":"a","num":5}})"},
                          {{"POST", "/s/a", R"({"sw":"b"})"}, "400"},
                          {{"PUT", "/b/0", "5"}, "400"}});
  bench.json.strictness.set(Slip::BoundField, Verdict::Report);
  expect_outcomes(bench, {{{"POST", "/v1/a", R"({"sub":{"name":"b"}})"}, R"({"sub":{"name":"a"}})"}});
  EXPECT_EQ(bench.slips().text(), "bound_field");
}

TEST(Behaviours, N44_ABodyWhereTheRuleTakesNoneIsNeverMerged) {
  Bench bench({"GET /v1/{id}", "DELETE /v1/{id}"});
  const std::vector<Row> rows = {{{"GET", "/v1/a", R"({"i32":5})"}, R"({"id":"a"})"},
                                 {{"DELETE", "/v1/a", "{not json", "text/plain"}, R"({"id":"a"})"}};
  expect_outcomes(bench, rows);
  EXPECT_TRUE(bench.slips().empty());
  bench.json.strictness.set(Slip::UnusedBody, Verdict::Report);
  expect_outcomes(bench, rows);
  EXPECT_EQ(bench.slips().text(), "unused_body");
  bench.json.strictness.set(Slip::UnusedBody, Verdict::Reject);
  expect_outcomes(bench, {{{"GET", "/v1/a", R"({"i32":5})"}, "400"},
                          {{"DELETE", "/v1/a", "x"}, "400"},
                          {{"GET", "/v1/a"}, R"({"id":"a"})"}});
}

TEST(Behaviours, N45_JsonHasManyNamesAndOtherTypesAre415) {
  Bench bench({"POST /v1 *"});
  for (const char* type :
       {"application/json", "application/json; charset=utf-8", "APPLICATION/JSON", "application/json;x=y;z",
        "application/problem+json", "text/x+json", "Application/Vnd.Api+JSON", ""}) {
    expect_outcomes(bench, {{{"POST", "/v1", R"({"i32":5})", type}, R"({"i32":5})"}});
  }
  const std::vector<const char*> others = {"text/plain", "application/x-www-form-urlencoded", "application/jsonp",
                                           "json", "application/xml"};
  for (const char* type : others) {
    expect_outcomes(bench, {{{"POST", "/v1", R"({"i32":5})", type}, "415"}, {{"POST", "/v1", "", type}, "{}"}});
  }
  bench.json.strictness.set(Slip::ContentType, Verdict::Report);
  for (const char* type : others) {
    expect_outcomes(bench, {{{"POST", "/v1", R"({"i32":5})", type}, R"({"i32":5})"}});
    EXPECT_EQ(bench.slips().text(), "content_type");
  }
  Bench raw({"POST /raw *"}, "google.api.HttpBody", "google.api.HttpBody");
  expect_outcomes(raw, {{{"POST", "/raw", "hi", "text/plain"}, R"({"contentType":"text/plain","data":"aGk="})"}});
  Bench bound({"POST /raw/{content_type} *"}, "google.api.HttpBody", "google.api.HttpBody");
  expect_outcomes(bound, {{{"POST", "/raw/a", "hi", "text/plain"}, R"({"contentType":"a","data":"aGk="})"}});
  Bench field({"POST /f/{id} file", "POST /g/{file.content_type} file"});
  expect_outcomes(
      field, {{{"POST", "/f/a", "hi", "text/plain"}, R"({"id":"a","file":{"contentType":"text/plain","data":"aGk="}})"},
              {{"POST", "/g/b", "hi", "text/plain"}, R"({"file":{"contentType":"b","data":"aGk="}})"}});
}

TEST(Behaviours, APatchsMaskIsWhatItsBodyHas) {
  Bench bench({"PATCH /v1/{sub.name} sub", "PUT /v1/{sub.name} sub", "PATCH /whole *"}, "t.Update", "t.Update");
  expect_outcomes(bench, {{{"PATCH", "/v1/a", R"({"num":1,"sub":{"name":"n","num":null},"name":"b"})"},
                           R"({"sub":{"name":"a","num":1,"sub":{"name":"n"}},"updateMask":"num,sub.name,sub.num"})"},
                          {{"PATCH", "/v1/a?update_mask=num", R"({"num":1,"names":["x"]})"},
                           R"({"sub":{"name":"a","num":1,"names":["x"]},"updateMask":"num"})"},
                          {{"PATCH", "/v1/a", ""}, R"({"sub":{"name":"a"}})"},
                          {{"PUT", "/v1/a", R"({"num":1})"}, R"({"sub":{"name":"a","num":1}})"},
                          {{"PATCH", "/whole", R"({"sub":{"num":1}})"}, R"({"sub":{"num":1}})"}});
  bench.json.patch_mask = PatchMask::Members;
  expect_outcomes(bench, {{{"PATCH", "/v1/a", R"({"sub":{"name":"n"}})"},
                           R"({"sub":{"name":"a","sub":{"name":"n"}},"updateMask":"sub"})"}});
  bench.json.patch_mask = PatchMask::None;
  expect_outcomes(bench, {{{"PATCH", "/v1/a", R"({"num":1})"}, R"({"sub":{"name":"a","num":1}})"}});
}

}  // namespace
}  // namespace transom
