// Behaviours 16 to 30: what a query says.
#include <gtest/gtest.h>

#include "behaviours/bench.h"

namespace transom {
namespace {

const std::vector<std::string> kGet = {"GET /v1/{id}"};

// Every row is GET /v1/a?QUERY; outcomes leave the id out.
void expect_queries(Bench& bench, const std::vector<std::pair<std::string, std::string>>& rows) {
  for (const auto& [query, outcome] : rows) {
    const bool is_status = outcome.size() == 3;
    const std::string whole = is_status         ? outcome
                              : outcome == "{}" ? R"({"id":"a"})"
                                                : R"({"id":"a",)" + outcome.substr(1);
    expect_gets(bench, {{"/v1/a?" + query, whole}});
  }
}

TEST(Behaviours, N16_WhatThePathBindsIsNeverTakenFromTheQuery) {
  Bench flat(kGet);
  expect_gets(flat, {{"/v1/a?id=q", R"({"id":"a"})"},
                     {"/v1/a?id=q&i32=5", R"({"id":"a","i32":5})"},
                     {"/v1/a?%69d=q", R"({"id":"a"})"}});
  Bench nested(
      {"GET /v1/{sub.name}", "GET /w/{sub.sub.name}", "GET /s/{sw.value}", "GET /i/{iw.value}", "GET /t/{ts.seconds}"});
  expect_gets(nested,
              {{"/v1/a?sub.name=q&sub.num=5", R"({"sub":{"name":"a","num":5}})"},
               {"/v1/a?sub%2Ename=q", R"({"sub":{"name":"a"}})"},
               {"/w/a?sub.sub.name=q&sub.name=b&sub.sub.num=5", R"({"sub":{"name":"b","sub":{"name":"a","num":5}}})"},
               {"/s/a?sw=q", R"({"sw":"a"})"},
               {"/s/a?sw.value=q", R"({"sw":"a"})"},
               {"/i/0?iw=5", R"({"iw":0})"},
               {"/t/0?ts=2020-01-01T00:00:00Z", R"({"ts":"1970-01-01T00:00:00Z"})"}});
}

TEST(Behaviours, N16_StrictBindingsMakeIt400AndReportingCountsIt) {
  Bench bench({"GET /v1/{sub.name}", "GET /o/{odd}"});
  bench.binding.strictness.set(Slip::BoundField, Verdict::Reject);
  expect_gets(bench, {{"/v1/a?sub.name=q", "400"},
                      {"/v1/a?sub.num=5", R"({"sub":{"name":"a","num":5}})"},
                      {"/o/a?odd=q", "400"},
                      {"/o/a?weird-Name=q", "400"}});
  bench.binding.strictness.set(Slip::BoundField, Verdict::Report);
  expect_gets(bench, {{"/o/a?weird-Name=q", R"({"weird-Name":"a"})"}});
  EXPECT_EQ(bench.slips().text(), "bound_field");
}

TEST(Behaviours, N17_ASingularFieldGivenTwiceIs400) {
  Bench bench(kGet);
  expect_queries(bench, {{"i32=1&i32=2", "400"},
                         {"i32=1&i32=1", "400"},
                         {"odd=1&weird-Name=1", "400"},
                         {"sub.num=1&sub.num=2", "400"},
                         {"sub.num=1&sub.name=x", R"({"sub":{"name":"x","num":1}})"}});
}

TEST(Behaviours, N18_IntegersArePlainDecimal) {
  Bench bench(kGet);
  expect_queries(bench, {{"i32=5", R"({"i32":5})"},
                         {"i32=-5", R"({"i32":-5})"},
                         {"i32=0x10", "400"},
                         {"i32=1.5", "400"},
                         {"i32=1.0", "400"},
                         {"i32=1e2", "400"},
                         {"i32=", "400"},
                         {"i32=%205", "400"},
                         {"i32=5%20", "400"},
                         {"i32=05", "400"},
                         {"i32=2147483647", R"({"i32":2147483647})"},
                         {"i32=2147483648", "400"},
                         {"u32=-1", "400"},
                         {"u64=18446744073709551615", R"({"u64":"18446744073709551615"})"},
                         {"u64=18446744073709551616", "400"},
                         {"i64=9007199254740993", R"({"i64":"9007199254740993"})"},
                         {"i32=%2B5", "400"},
                         {"i32=+5", "400"},
                         {"dbl=1.5", R"({"dbl":1.5})"},
                         {"dbl=1e400", "400"},
                         {"dbl=NaN", R"({"dbl":"NaN"})"},
                         {"dbl=-Infinity", R"({"dbl":"-Infinity"})"},
                         {"flt=3.4e39", "400"}});
}

TEST(Behaviours, N19_BoolsAreTrueAndFalseOnly) {
  Bench bench(kGet);
  expect_queries(bench, {{"b=true", R"({"b":true})"},
                         {"b=false", "{}"},
                         {"b=1", "400"},
                         {"b=TRUE", "400"},
                         {"b=", "400"},
                         {"b", "400"},
                         {"odd", "{}"},
                         {"names", R"({"names":[""]})"}});
}

TEST(Behaviours, N20_EnumsAreNamesOrNumbers) {
  Bench bench(kGet);
  expect_queries(bench, {{"color=RED", R"({"color":"RED"})"},
                         {"color=1", R"({"color":"RED"})"},
                         {"color=-3", R"({"color":"BLUE"})"},
                         {"color=red", "400"},
                         {"color=99", R"({"color":99})"},
                         {"color=", "400"},
                         {"color=2147483648", "400"}});
  bench.json.case_insensitive_enums = true;
  expect_queries(bench, {{"color=red", R"({"color":"RED"})"}, {"color=pink", "400"}});
}

TEST(Behaviours, N21_BytesAreBase64OfEitherAlphabetWithOrWithoutPadding) {
  Bench bench(kGet);
  for (const char* text : {"__8", "__8=", "//8", "//8=", "%2F%2F8%3D"}) {
    expect_queries(bench, {{std::string("blob=") + text, R"({"blob":"//8="})"}});
  }
  expect_queries(bench, {{"blob=*", "400"}, {"blob=", "{}"}});
}

TEST(Behaviours, N22_ATimestampsOffsetMayBeEscapedOrNot) {
  const std::string outcome = R"({"ts":"2019-12-31T23:00:00Z"})";
  Bench bench(kGet);
  expect_queries(bench, {{"ts=2020-01-01T00:00:00%2B01:00", outcome},
                         {"ts=2020-01-01T00:00:00+01:00", outcome},
                         {"ts=2020-13-01T00:00:00Z", "400"},
                         {"odd=a+b", R"({"weird-Name":"a+b"})"}});
  bench.binding.plus_is_space = true;
  expect_queries(bench, {{"ts=2020-01-01T00:00:00%2B01:00", outcome},
                         {"ts=2020-01-01T00:00:00+01:00", outcome},
                         {"odd=a+b%2B", R"({"weird-Name":"a b+"})"}});
}

TEST(Behaviours, N23_WellKnownTypesHaveTheirTexts) {
  Bench bench(kGet);
  expect_queries(bench, {{"sw=hello", R"({"sw":"hello"})"},
                         {"sw.value=hello", R"({"sw":"hello"})"},
                         {"sw=", R"({"sw":""})"},
                         {"iw=0", R"({"iw":0})"},
                         {"iw=x", "400"},
                         {"mask=sub.name,i32", R"({"mask":"sub.name,i32"})"},
                         {"mask=subMap", R"({"mask":"subMap"})"},
                         {"mask=sub_map", "400"},
                         {"dur=1.5s", R"({"dur":"1.500s"})"},
                         {"dur=1m", "400"},
                         {"dur=5", "400"},
                         {"object=x", "400"},
                         {"any=x", "400"},
                         {"sub=x", "400"}});
  // On the wire a mask has the names of the .proto file.
  Bench plain({"GET /m/{id} - mask"});
  EXPECT_EQ(plain.answer(R"({"mask":"subMap"})"), R"("subMap")");
}

TEST(Behaviours, N24_RepeatedScalarsAccumulateInOrder) {
  Bench bench(kGet);
  expect_queries(bench, {{"names=a&i32=1&names=b&names=a", R"({"i32":1,"names":["a","b","a"]})"},
                         {"names=a,b", R"({"names":["a,b"]})"},
                         {"colors=RED&colors=-3&colors=0", R"({"colors":["RED","BLUE","NONE"]})"},
                         {"numbers=3&numbers=0", R"({"numbers":[3,0]})"},
                         {"numbers=3&numbers=x", "400"},
                         {"sub.names=a&sub.names=b", R"({"sub":{"names":["a","b"]}})"}});
}

TEST(Behaviours, N25_RepeatedMessagesCannotStandInAQuery) {
  Bench bench(kGet);
  expect_queries(bench, {{"subs.name=x", "400"}, {"subs=x", "400"}, {"subs[0].name=x", "400"}});
}

TEST(Behaviours, N26_MapEntriesAreWrittenInBrackets) {
  Bench bench(kGet);
  expect_queries(bench, {{"labels[k]=v", R"({"labels":{"k":"v"}})"},
                         {"labels%5Bk%5D=v", R"({"labels":{"k":"v"}})"},
                         {"labels[a.b]=1&labels[c]=", R"({"labels":{"a.b":"1","c":""}})"},
                         {"labels[]=v", R"({"labels":{"":"v"}})"},
                         {"flags[-7]=true", R"({"flags":{"-7":true}})"},
                         {"flags[x]=true", "400"},
                         {"flags[1]=yes", "400"},
                         {"labels[k]=v&labels[k]=w", "400"},
                         {"labels=v", "400"},
                         {"labels[k=v", "400"},
                         {"sub_map[k]=v", "400"},
                         {"i32[k]=5", "400"}});
}

TEST(Behaviours, N27_KeysAreEitherNameOfAFieldExactly) {
  Bench bench(kGet);
  expect_queries(bench, {{"weird-Name=x", R"({"weird-Name":"x"})"},
                         {"odd=x", R"({"weird-Name":"x"})"},
                         {"weirdName=x", "400"},
                         {"I32=5", "400"},
                         {"sub%2Ename=x", R"({"sub":{"name":"x"}})"},
                         {"%69%33%32=5", R"({"i32":5})"},
                         {"nope=1", "400"},
                         {"sub.nope=1", "400"},
                         {"i32.x=1", "400"}});
  bench.get("/v1/a?nope=1");
  EXPECT_EQ(bench.why(), "query parameter `nope`: names no field of t.In");
  bench.binding.strictness.set(Slip::UnknownQueryKey, Verdict::Ignore);
  expect_queries(bench, {{"nope=1&i32=5", R"({"i32":5})"}});
  EXPECT_TRUE(bench.slips().empty());
  bench.binding.strictness.set(Slip::UnknownQueryKey, Verdict::Report);
  expect_queries(bench, {{"nope=1&i32=5", R"({"i32":5})"}});
  EXPECT_EQ(bench.slips().text(), "unknown_query_key");
}

TEST(Behaviours, N28_OneOneofHasOneMemberAndPresenceIsKept) {
  Bench bench(kGet);
  expect_queries(bench, {{"left=1&right=2", "400"},
                         {"left=1&middle.name=x", "400"},
                         {"left=", R"({"left":""})"},
                         {"middle.name=x&middle.num=1", R"({"middle":{"name":"x","num":1}})"},
                         {"opt=0", R"({"opt":0})"},
                         {"i32=0", "{}"}});
  Bench bound({"GET /l/{left}"});
  expect_gets(bound, {{"/l/a?right=b", "400"}, {"/l/a?left=b", R"({"left":"a"})"}});
}

TEST(Behaviours, N29_EmptyPairsAreHarmlessAndSemicolonsSeparateNothing) {
  Bench bench(kGet);
  expect_queries(bench, {{"", "{}"},
                         {"&&", "{}"},
                         {"=b", "{}"},
                         {"&i32=5&", R"({"i32":5})"},
                         {"odd=a;i32=5", R"({"weird-Name":"a;i32=5"})"},
                         {"odd=a=b?c", R"({"weird-Name":"a=b?c"})"}});
}

TEST(Behaviours, N30_AWholeBodyLeavesTheQueryNothingToSay) {
  Bench bench({"POST /v1/{id} *"});
  expect_outcomes(bench, {{{"POST", "/v1/a?i32=5&id=q&names=x", R"({"i32":7})"}, R"({"id":"a","i32":7})"},
                          {{"POST", "/v1/a?names=x", R"({"i32":7})"}, R"({"id":"a","i32":7})"},
                          {{"POST", "/v1/a?names=x", ""}, R"({"id":"a"})"},
                          {{"POST", "/v1/a?nope=x", "{}"}, "400"}});
  bench.binding.strictness.set(Slip::BoundField, Verdict::Reject);
  expect_outcomes(bench, {{{"POST", "/v1/a?names=x", "{}"}, "400"}});
}

}  // namespace
}  // namespace transom
