#include "route/match_order.h"

#include <gtest/gtest.h>

namespace transom {
namespace {

TEST(MatchOrder, BringsEqualMatchesToOneForm) {
  auto a = normalize_match({{"B.example", "a.example", "b.example"}, {{"X-B", "1"}, {"x-a", "Q"}}, "/api/"});
  ASSERT_TRUE(a.ok());
  EXPECT_EQ(a->hosts, (std::vector<std::string>{"a.example", "b.example"}));
  EXPECT_EQ(a->headers, (std::vector<std::pair<std::string, std::string>>{{"x-a", "Q"}, {"x-b", "1"}}));
  EXPECT_EQ(a->path_prefix, "/api");
  EXPECT_EQ(normalize_match({{}, {}, "/"})->path_prefix, "");
}

TEST(MatchOrder, RefusesWhatCanNeverMatch) {
  for (const RouteMatch& match :
       {RouteMatch{{"*"}, {}, ""}, RouteMatch{{"a.*.b"}, {}, ""}, RouteMatch{{""}, {}, ""}, RouteMatch{{"*."}, {}, ""},
        RouteMatch{{}, {}, "api"}, RouteMatch{{}, {}, "/a/{x}"}}) {
    EXPECT_FALSE(normalize_match(match).ok());
  }
}

TEST(MatchOrder, RanksPrefixThenHostsThenHeaders) {
  const std::vector<RouteMatch> ordered = {
      {{}, {}, "/a/b"},
      {{"h"}, {{"x", "1"}}, "/a"},
      {{"h"}, {}, "/a"},
      {{"*.h"}, {{"x", "1"}}, "/a"},
      {{}, {{"x", "1"}, {"y", "1"}}, "/a"},
      {{}, {{"x", "1"}}, "/a"},
      {{}, {}, "/a"},
      {{"h"}, {{"x", "1"}}, ""},
  };
  for (size_t i = 0; i < ordered.size(); ++i) {
    for (size_t j = 0; j < ordered.size(); ++j) {
      EXPECT_EQ(is_tried_before(ordered[i], ordered[j]), i < j) << i << " " << j;
    }
  }
}

TEST(MatchOrder, ComparesHostsWithoutPortAndCase) {
  struct Case {
    std::string pattern;
    std::string host;
    bool expected;
  };
  const std::vector<Case> cases = {
      {"a.example", "a.example", true},
      {"a.example", "A.Example:8080", true},
      {"a.example", "b.a.example", false},
      {"*.example", "a.example", true},
      {"*.example", "a.b.example:1", true},
      {"*.example", "example", false},
      {"*.example", ".example", false},
      {"*.example", "badexample", false},
      {"[::1]", "[::1]:80", true},
      {"[::1]", "[::1]", true},
      {"a.example", "", false},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(does_host_match({{c.pattern}, {}, ""}, c.host), c.expected) << c.pattern << " " << c.host;
  }
}

TEST(MatchOrder, AsksForEveryHeaderAndTakesAnyOfItsValues) {
  Fields fields;
  fields.add("x-a", "1");
  fields.add("x-a", "2");
  EXPECT_TRUE(do_headers_match({{}, {{"x-a", "2"}}, ""}, fields));
  EXPECT_FALSE(do_headers_match({{}, {{"x-a", "3"}}, ""}, fields));
  EXPECT_FALSE(do_headers_match({{}, {{"x-a", "1"}, {"x-b", "1"}}, ""}, fields));
}

TEST(MatchOrder, StripsAPrefixOfWholeSegments) {
  EXPECT_EQ(strip_prefix("/a/b", "/a"), "/b");
  EXPECT_EQ(strip_prefix("/a", "/a"), "/");
  EXPECT_EQ(strip_prefix("/a/", "/a"), "/");
  EXPECT_EQ(strip_prefix("/ab", "/a"), std::nullopt);
  EXPECT_EQ(strip_prefix("/b", "/a"), std::nullopt);
  EXPECT_EQ(strip_prefix("/b", ""), "/b");
}

}  // namespace
}  // namespace transom
