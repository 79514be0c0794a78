// Behaviours 1 to 15: what a path says.
#include <gtest/gtest.h>

#include "behaviours/bench.h"

namespace transom {
namespace {

TEST(Behaviours, N01_AnEscapedSlashStaysInASingleSegment) {
  Bench bench({"GET /v1/m/{id}"});
  expect_gets(bench, {{"/v1/m/a%2Fb", R"({"id":"a/b"})"}, {"/v1/m/a/b", "404"}});
}

TEST(Behaviours, N02_EscapesAreDecodedOnce) {
  Bench bench({"GET /v1/m/{id}"});
  expect_gets(bench, {{"/v1/m/a%252Fb", R"({"id":"a%2Fb"})"}});
}

TEST(Behaviours, N03_AnEscapedPercentIsAPercent) {
  Bench bench({"GET /v1/m/{id}"});
  expect_gets(bench, {{"/v1/m/100%25", R"({"id":"100%"})"}});
}

TEST(Behaviours, N04_SeveralSegmentsKeepTheirEscapedSlashes) {
  Bench bench({"GET /v1/{id=multi/**}"});
  expect_gets(bench, {{"/v1/multi/a%2Fb/c%20d", R"({"id":"multi/a%2Fb/c d"})"},
                      {"/v1/multi/a%2fb", R"({"id":"multi/a%2fb"})"}});
  bench.binding.kept_escapes = Escapes::None;
  expect_gets(bench, {{"/v1/multi/a%2Fb/c%20d", R"({"id":"multi/a/b/c d"})"}});
}

TEST(Behaviours, N05_TheKeptEscapesAreThoseOfReservedCharacters) {
  const struct {
    Escapes kept;
    const char* id;
  } cases[] = {{Escapes::Reserved, R"({"id":"%2f%23/ %23"})"},
               {Escapes::Slash, R"({"id":"%2f#/ %23"})"},
               {Escapes::None, R"({"id":"/#/ %23"})"}};
  for (const auto& row : cases) {
    Bench bench({"GET /v1/{id=**}"});
    bench.binding.kept_escapes = row.kept;
    expect_gets(bench, {{"/v1/%2f%23/%20%2523", row.id}});
  }
  Bench bench({"GET /v1/{id=**}"});
  for (const char c : std::string("!#$&'()*+,/:;=?@[]")) {
    char escape[4];
    std::snprintf(escape, sizeof escape, "%%%02X", c);
    expect_gets(bench, {{std::string("/v1/") + escape, std::string(R"({"id":")") + escape + "\"}"}});
  }
}

TEST(Behaviours, N06_ManySegmentsMayBeNone) {
  Bench bench({"GET /v1/{id=multi/**}"});
  expect_gets(bench, {{"/v1/multi", R"({"id":"multi"})"},
                      {"/v1/multi/", R"({"id":"multi"})"},
                      {"/v1/multi/a/", R"({"id":"multi/a"})"},
                      {"/v1/multis", "404"}});
}

TEST(Behaviours, N07_ASlashAtTheEndIsToleratedAndNothingIsNoValue) {
  Bench bench({"GET /v1/m/{id}"});
  expect_gets(
      bench,
      {{"/v1/m/x/", R"({"id":"x"})"}, {"/v1/m/x//", "404"}, {"/v1/m/", "404"}, {"/v1/m//", "404"}, {"/v1/m", "404"}});
  bench.binding.strictness.set(Slip::TrailingSlash, Verdict::Report);
  expect_gets(bench, {{"/v1/m/x/", R"({"id":"x"})"}});
  EXPECT_EQ(bench.slips().text(), "trailing_slash");
  expect_gets(bench, {{"/v1/m/x", R"({"id":"x"})"}});
  EXPECT_TRUE(bench.slips().empty());
  bench.binding.strictness.set(Slip::TrailingSlash, Verdict::Reject);
  expect_gets(bench, {{"/v1/m/x/", "404"}, {"/v1/m/x", R"({"id":"x"})"}});
}

TEST(Behaviours, N08_PathsAreTakenAsTheyStand) {
  Bench bench({"GET /v1/m/{id}", "GET /v1/two/{id}/{sub.name}"});
  expect_gets(bench, {{"//v1/m/a", "404"},
                      {"/v1//m/a", "404"},
                      {"/v1/./m/a", "404"},
                      {"/v1/x/../m/a", "404"},
                      {"/V1/m/a", "404"},
                      {"/v1/two//b", "404"},
                      {"/v1/two/a//", "404"}});
}

TEST(Behaviours, N09_LiteralsBeatStarsAndStarsBeatDoubleStars) {
  Bench bench({"GET /c/{id}/d/e", "GET /c/f/d/e", "GET /c/{id=**}"});
  const std::pair<const char*, const char*> cases[] = {
      {"/c/x/d/e", "/c/{id}/d/e"}, {"/c/f/d/e", "/c/f/d/e"}, {"/c/f/d/z", "/c/{id=**}"}, {"/c/x", "/c/{id=**}"}};
  for (const auto& [target, label] : cases) {
    bench.get(target);
    EXPECT_EQ(bench.route(), label) << target;
  }
}

TEST(Behaviours, N10_AVerbIsPartOfTheTemplateAndElseOfTheValue) {
  Bench verb({"GET /v1/{id=p/*/q/*}:act"});
  expect_gets(verb, {{"/v1/p/1/q/2:act", R"({"id":"p/1/q/2"})"}, {"/v1/p/1/q/2", "404"}, {"/v1/p/1/q/2:nope", "404"}});
  Bench plain({"GET /v1/m/{id}"});
  expect_gets(plain, {{"/v1/m/a:b", R"({"id":"a:b"})"}, {"/v1/m/a%3Ab", R"({"id":"a:b"})"}});
}

TEST(Behaviours, N11_PathsOfManySegmentsAreLookedUpInLinearTime) {
  Bench bench({"GET /a/{id=**}", "GET /b/{id}"});
  const std::string slashes(64'000, '/');
  expect_gets(bench,
              {{slashes, "404"}, {"/b/" + slashes, "404"}, {"/a/x" + slashes + "y", R"({"id":"x)" + slashes + "y\"}"}});
  std::string segments;
  for (int i = 0; i < 4'000; ++i) {
    segments += "/s";
  }
  expect_gets(bench, {{"/a" + segments, R"({"id":")" + segments.substr(1) + "\"}"}, {"/b" + segments, "404"}});
}

TEST(Behaviours, N12_BadTemplatesAreRefusedAtLoadNamingTheMethod) {
  for (const char* path : {"//",          "/{}",        "/a/",
                           "/a//b",       ":v",         "/:v",
                           "/a{id}",      "/{id}a",     "/{id={sub.name}}",
                           "/**/{id}",    "/**/*",      "/{names}",
                           "/{labels}",   "/{sub}",     "/{nope}",
                           "/{sub.nope}", "/{id}/{id}", "a",
                           "/a:",         "/{id",       "/a}",
                           "/***"}) {
    EXPECT_NE(load_problem({std::string("GET ") + path}).find("t.Svc.Do"), std::string::npos) << path;
  }
  EXPECT_NE(load_problem({"GET"}).find("t.Svc.Do"), std::string::npos) << "an empty template";
  EXPECT_NE(load_problem({"GET /v1/{id}", "GET /v1/{sub.name}"}).find("clashes"), std::string::npos);
  EXPECT_NE(load_problem({"GET /v1/{id}/x", "GET /v1/{id=*}/x"}).find("clashes"), std::string::npos);
  EXPECT_EQ(load_problem({"GET /v1/{id}", "POST /v1/{id} *", "GET /v1/{id}:act"}), "");
}

TEST(Behaviours, N13_InvalidEscapeIs400) {
  Bench bench({"GET /v1/m/{id}", "GET /v1/n/{id=**}"});
  expect_gets(bench, {{"/v1/m/%zz", "400"},
                      {"/v1/m/a%", "400"},
                      {"/v1/m/a%2", "400"},
                      {"/v1/n/a/%g0", "400"},
                      {"/v1/m/a?i32=%zz", "400"},
                      {"/v1/m/a?names=%", "400"},
                      {"/v1/m/a?%zz=1", "400"}});
}

TEST(Behaviours, N14_InvalidUtf8Is400AndNulIsText) {
  Bench bench({"GET /v1/m/{id}", "GET /v1/n/{id=**}"});
  expect_gets(bench, {{"/v1/m/%ff", "400"},
                      {"/v1/n/a/%c0%80", "400"},
                      {"/v1/m/%ed%a0%80", "400"},
                      {"/v1/m/a?names=%ff", "400"},
                      {"/v1/m/a?labels[%ff]=x", "400"},
                      {"/v1/m/a%00b", R"({"id":"a\u0000b"})"},
                      {"/v1/m/%e2%82%ac", "{\"id\":\"\xe2\x82\xac\"}"}});
}

TEST(Behaviours, N15_PathVariablesHaveTheirFieldsType) {
  Bench bench({"GET /v1/i/{i64}", "GET /v1/u/{u32}", "GET /v1/b/{b}", "GET /v1/c/{color}", "GET /v1/d/{dbl}",
               "GET /v1/x/{blob}"});
  expect_gets(bench, {{"/v1/i/9223372036854775807", R"({"i64":"9223372036854775807"})"},
                      {"/v1/i/-9223372036854775808", R"({"i64":"-9223372036854775808"})"},
                      {"/v1/i/9223372036854775808", "400"},
                      {"/v1/i/abc", "400"},
                      {"/v1/i/1.0", "400"},
                      {"/v1/u/-1", "400"},
                      {"/v1/u/4294967295", R"({"u32":4294967295})"},
                      {"/v1/u/4294967296", "400"},
                      {"/v1/b/true", R"({"b":true})"},
                      {"/v1/b/1", "400"},
                      {"/v1/c/RED", R"({"color":"RED"})"},
                      {"/v1/c/-3", R"({"color":"BLUE"})"},
                      {"/v1/c/PINK", "400"},
                      {"/v1/d/1e2", R"({"dbl":100})"},
                      {"/v1/x/__8", R"({"blob":"//8="})"}});
  bench.get("/v1/i/abc");
  EXPECT_EQ(bench.why(), "path variable i64: expected a decimal integer, found \"abc\"");
}

}  // namespace
}  // namespace transom
