#include "schema/http_rule_reader.h"

#include <google/protobuf/unknown_field_set.h>
#include <gtest/gtest.h>

namespace transom {
namespace {

using google::protobuf::UnknownFieldSet;

std::string message(const std::vector<std::pair<int, std::string>>& fields) {
  UnknownFieldSet set;
  for (const auto& [number, bytes] : fields) {
    set.AddLengthDelimited(number, bytes);
  }
  std::string out;
  set.SerializeToString(&out);
  return out;
}

// Field numbers by google/api/http.proto.
std::string options(const std::vector<std::pair<int, std::string>>& rule) {
  return message({{72295728, message(rule)}});
}

TEST(HttpRuleReader, ReadsEveryPattern) {
  const std::vector<std::pair<int, std::string>> cases = {
      {2, "GET"}, {3, "PUT"}, {4, "POST"}, {5, "DELETE"}, {6, "PATCH"}};
  for (const auto& [number, method] : cases) {
    auto rules = read_http_rules(options({{number, "/x"}, {7, "*"}, {12, "out"}}), "p.S.M");
    ASSERT_TRUE(rules.ok());
    ASSERT_EQ(rules->size(), 1u);
    const HttpRule& rule = rules->front();
    EXPECT_EQ(rule.method, method);
    EXPECT_EQ(rule.path, "/x");
    EXPECT_EQ(rule.body, "*");
    EXPECT_EQ(rule.response_body, "out");
    EXPECT_EQ(rule.selector, "p.S.M");
  }
  auto custom = read_http_rules(options({{8, message({{1, "PURGE"}, {2, "/y"}})}}), "p.S.M");
  EXPECT_EQ(custom->front().method, "PURGE");
  EXPECT_EQ(custom->front().path, "/y");
}

TEST(HttpRuleReader, FlattensAdditionalBindings) {
  auto rules =
      read_http_rules(options({{2, "/a"}, {11, message({{4, "/b"}, {7, "f"}})}, {11, message({{3, "/c"}})}}), "p.S.M");
  ASSERT_TRUE(rules.ok());
  ASSERT_EQ(rules->size(), 3u);
  EXPECT_EQ((*rules)[1].method + (*rules)[1].path + (*rules)[1].body, "POST/bf");
  EXPECT_EQ((*rules)[2].method + (*rules)[2].path + (*rules)[2].body, "PUT/c");
}

TEST(HttpRuleReader, FindsNothingAmongOtherOptions) {
  EXPECT_TRUE(read_http_rules("", "p.S.M")->empty());
  EXPECT_TRUE(read_http_rules(message({{1049, "x"}}), "p.S.M")->empty());
}

TEST(HttpRuleReader, MergesAnOptionInTwoPieces) {
  auto rules = read_http_rules(options({{2, "/a"}}) + options({{7, "*"}}), "p.S.M");
  ASSERT_EQ(rules->size(), 1u);
  EXPECT_EQ(rules->front().path + rules->front().body, "/a*");
}

TEST(HttpRuleReader, RefusesNestedBindingsAndOtherBytes) {
  for (const std::string& bad : {options({{11, message({{11, message({})}})}}), message({{72295728, "\xff"}}),
                                 options({{11, "\xff"}}), options({{8, "\xff"}})}) {
    auto rules = read_http_rules(bad, "p.S.M");
    ASSERT_FALSE(rules.ok());
    EXPECT_EQ(rules.status().message.rfind("p.S.M: google.api.http: ", 0), 0u) << rules.status().message;
  }
}

}  // namespace
}  // namespace transom
