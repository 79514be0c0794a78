#include "server/options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "server/config.h"

namespace transom {
namespace {

using testing::ElementsAre;
using testing::Pair;

Configuration read(const std::string& rest) {
  return read_configuration("listeners: [ { address: \"a:1\" } ]\n" + rest, "c.yaml", "/");
}

TEST(Options, ABackendIsItsReplicasPolicyAndBounds) {
  const Configuration configuration = read(
      "limits: { channel: { backoff_min: 50ms, calls: 7 } }\n"
      "backends: [ { name: iris, policy: round_robin, timeout: 1500ms,"
      " replicas: [ \"[::1]:5\", { address: \"unix:/p\", weight: 9 } ] } ]\n");
  const BackendOptions options = backend_options_of(configuration.message, 0);
  EXPECT_EQ(options.name, "iris");
  EXPECT_EQ(options.policy, Policy::RoundRobin);
  EXPECT_EQ(options.limits.backoff_min, std::chrono::milliseconds(50));
  EXPECT_EQ(options.limits.calls_per_channel, 7u);
  ASSERT_EQ(options.replicas.size(), 2u);
  EXPECT_EQ(options.replicas[0].name, "[::1]:5");
  EXPECT_EQ(options.replicas[0].address.host, "::1");
  EXPECT_EQ(options.replicas[1].address.path, "/p");
  EXPECT_EQ(options.replicas[1].weight, 9u);
  EXPECT_EQ(backend_settings_of(configuration.message.backends(0)).timeout, std::chrono::milliseconds(1500));
}

TEST(Options, ARouteOverridesTheProcesssJsonKeyByKey) {
  const Configuration configuration = read(
      "json: { int64_as_number: true, strict_bindings: true, ignore_unknown_query_parameters: true }\n"
      "backends: [ { name: a, replicas: [ a:1 ], schema: [ { reflection: true } ] } ]\n"
      "routes: [ { service: a.B, backend: a, json: { int64_as_number: false, ignore_unknown_fields: true } } ]\n");
  const auto& route = configuration.message.routes(0);
  const JsonOptions json = json_options_of(configuration.message.json(), route.json());
  EXPECT_FALSE(json.int64_as_number);
  EXPECT_TRUE(json.ignore_unknown_fields);
  EXPECT_TRUE(json.strict_bindings);
  const BindingOptions bindings = binding_options_of(configuration.message.json(), route.json());
  EXPECT_TRUE(bindings.strict);
  EXPECT_TRUE(bindings.ignore_unknown_query_parameters);
}

TEST(Options, AMatchIsInLowerCaseAndInOrder) {
  config::v1::Match from;
  from.add_hosts("A.Example");
  (*from.mutable_headers())["X-B"] = "Two";
  (*from.mutable_headers())["X-A"] = "One";
  from.set_path_prefix("/P");
  const RouteMatch match = match_of(from);
  EXPECT_THAT(match.hosts, ElementsAre("a.example"));
  EXPECT_THAT(match.headers, ElementsAre(Pair("x-a", "One"), Pair("x-b", "Two")));
  EXPECT_EQ(match.path_prefix, "/P");
}

TEST(Options, ARuleAndItsAdditionalBindingsAreRulesOfOneSelector) {
  config::v1::Route route;
  google::api::HttpRule* rule = route.add_http_rules();
  rule->set_selector("a.B.C");
  rule->set_post("/c");
  rule->set_body("*");
  rule->set_response_body("x");
  google::api::HttpRule* more = rule->add_additional_bindings();
  more->mutable_custom()->set_kind("LIST");
  more->mutable_custom()->set_path("/d");
  const std::vector<HttpRule> rules = http_rules_of(route);
  ASSERT_EQ(rules.size(), 2u);
  EXPECT_EQ(rules[0].method, "POST");
  EXPECT_EQ(rules[0].path, "/c");
  EXPECT_EQ(rules[0].body, "*");
  EXPECT_EQ(rules[0].response_body, "x");
  EXPECT_EQ(rules[1].selector, "a.B.C");
  EXPECT_EQ(rules[1].method, "LIST");
  EXPECT_EQ(rules[1].path, "/d");
}

TEST(Options, EveryLogLevelHasItsOwn) {
  const struct {
    const char* word;
    LogLevel level;
  } cases[] = {
      {"debug", LogLevel::Debug}, {"info", LogLevel::Info}, {"warning", LogLevel::Warning}, {"error", LogLevel::Error}};
  for (const auto& c : cases) {
    EXPECT_EQ(log_level_of(read(std::string("log: { level: ") + c.word + " }").message.log()), c.level);
  }
  EXPECT_EQ(log_level_of(read("").message.log()), LogLevel::Info);
}

}  // namespace
}  // namespace transom
