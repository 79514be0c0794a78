#include "route/route_table.h"

#include <gtest/gtest.h>

#include "support/proto_text.h"

namespace transom {
namespace {

constexpr const char* kSchema = R"(
  syntax = "proto3";
  package t;
  import "google/api/annotations.proto";
  message In { string id = 1; In in = 2; repeated string names = 3; map<string, string> labels = 4;
               oneof pick { string a = 5; string b = 6; } }
  message Out { string id = 1; }
  service Svc {
    rpc Plain(In) returns (Out);
    rpc Ruled(In) returns (Out) { option (google.api.http) = { get: "/ruled/{id}" additional_bindings { get: "/again/{id}" } }; }
  }
  service Other { rpc Plain(In) returns (Out); }
)";

const SchemaPtr& schema() {
  static const SchemaPtr made = schema_of(kSchema);
  return made;
}

RouteSource source(std::vector<HttpRule> rules, std::string place = "conf.yaml:3:5") {
  return {"t.Svc", "iris", {}, std::move(rules), schema(), 0, std::move(place)};
}

std::string error_of(const std::vector<RouteSource>& sources) {
  auto table = build_route_table(sources);
  return table.ok() ? "" : table.status().message;
}

std::vector<std::string> lines_of(const std::vector<RouteSource>& sources) {
  std::vector<std::string> lines;
  auto table = build_route_table(sources);
  EXPECT_TRUE(table.ok()) << table.status().message;
  for (const auto& route : table->routes) {
    lines.push_back((route->kind == RouteKind::Json ? route->method : "gRPC") + " " + route->label);
  }
  return lines;
}

TEST(RouteTable, TakesTheAnnotationsElseThePostOfTheGrpcPath) {
  EXPECT_EQ(lines_of({source({})}),
            (std::vector<std::string>{"POST /t.Svc/Plain", "gRPC /t.Svc/Plain", "GET /ruled/{id}", "GET /again/{id}",
                                      "gRPC /t.Svc/Ruled"}));
}

TEST(RouteTable, LetsConfiguredRulesReplaceTheAnnotationsOfTheirSelector) {
  EXPECT_EQ(lines_of({source({{"t.Svc.Ruled", "POST", "/mine", "*", ""}, {"t.Svc.Ruled", "PUT", "/mine", "*", ""}})}),
            (std::vector<std::string>{"POST /t.Svc/Plain", "gRPC /t.Svc/Plain", "POST /mine", "PUT /mine",
                                      "gRPC /t.Svc/Ruled"}));
}

TEST(RouteTable, HasNoRoutesYetWhereTheSchemaIsMissing) {
  RouteSource unknown{"x.Y", "iris", {}, {{"x.Y.Z", "GET", "/z", "", ""}}, nullptr, 0, "conf.yaml:3:5"};
  EXPECT_EQ(lines_of({unknown}), std::vector<std::string>{});
}

TEST(RouteTable, RefusesBadRulesNamingPlaceMethodAndRule) {
  struct Case {
    HttpRule rule;
    std::string why;
  };
  const std::vector<Case> cases = {
      {{"", "GET", "", "", ""}, "a path template begins with / (at character 1)"},
      {{"", "GET", "/{nope}", "", ""}, "variable `nope`: t.In has no field `nope`"},
      {{"", "GET", "/{in.nope}", "", ""}, "variable `in.nope`: t.In has no field `nope`"},
      {{"", "GET", "/{id.x}", "", ""}, "variable `id.x`: `id` is not a message, its fields cannot be named"},
      {{"", "GET", "/{in}", "", ""}, "variable `in`: the field is a message, a path binds single values only"},
      {{"", "GET", "/{names}", "", ""}, "variable `names`: the field is repeated, a path binds single values only"},
      {{"", "GET", "/{labels}", "", ""}, "variable `labels`: the field is a map, a path binds single values only"},
      {{"", "GET", "/{id}/{id}", "", ""}, "variable `id` and variable `id` set the same field or the same oneof"},
      {{"", "GET", "/{a}/{b}", "", ""}, "variable `b` and variable `a` set the same field or the same oneof"},
      {{"", "POST", "/x", "nope", ""}, "body: t.In has no field `nope`"},
      {{"", "POST", "/{id}", "id", ""}, "body: the path binds the field `id` already"},
      {{"", "GET", "/x", "", "nope"}, "response_body: t.Out has no field `nope`"},
      {{"", "", "/x", "", ""}, "the rule names no HTTP method"},
      {{"", "GE T", "/x", "", ""}, "the rule names no HTTP method"},
  };
  for (const Case& c : cases) {
    HttpRule rule = c.rule;
    rule.selector = "t.Svc.Plain";
    EXPECT_EQ(error_of({source({rule})}),
              "conf.yaml:3:5: t.Svc.Plain: " + rule.method + " `" + rule.path + "`: " + c.why);
  }
}

TEST(RouteTable, RefusesWhatTheSchemaDoesNotHave) {
  RouteSource service = source({});
  service.service = "t.Nope";
  EXPECT_EQ(error_of({service}), "conf.yaml:3:5: the schema of backend iris has no service t.Nope");
  for (const char* selector : {"t.Svc.Nope", "t.Other.Plain"}) {
    EXPECT_EQ(error_of({source({{selector, "GET", "/x", "", ""}})}),
              std::string("conf.yaml:3:5: http_rules: selector \"") + selector + "\" is no method of t.Svc");
  }
}

TEST(RouteTable, NamesBothSidesOfAClash) {
  EXPECT_EQ(
      error_of({source({{"t.Svc.Plain", "GET", "/ruled/{in.id}", "", ""}})}),
      "conf.yaml:3:5: t.Svc.Ruled: GET `/ruled/{id}` clashes with conf.yaml:3:5: t.Svc.Plain: GET `/ruled/{in.id}`");
  RouteSource other = source({}, "conf.yaml:9:5");
  other.service = "t.Other";
  other.http_rules = {{"t.Other.Plain", "GET", "/again/{in.id}", "", ""}};
  EXPECT_EQ(
      error_of({source({}), other}),
      "conf.yaml:9:5: t.Other.Plain: GET `/again/{in.id}` clashes with conf.yaml:3:5: t.Svc.Ruled: GET `/again/{id}`");
  RouteSource star{"*", "any", {}, {}, nullptr, 0, "conf.yaml:5:5"};
  EXPECT_EQ(error_of({star, star}), "conf.yaml:5:5: service \"*\" clashes with conf.yaml:5:5: service \"*\"");
}

TEST(RouteTable, ClashesOnlyWhereMatchVerbAndMethodAreEqual) {
  RouteSource prefixed = source({});
  prefixed.match.path_prefix = "/other";
  RouteSource hosted = source({});
  hosted.match.hosts = {"a.example"};
  EXPECT_EQ(error_of({source({}), prefixed, hosted}), "");
  RouteSource again = source({});
  again.match.path_prefix = "/other/";
  EXPECT_NE(error_of({prefixed, again}), "");
  EXPECT_EQ(error_of({source(
                {{"t.Svc.Plain", "GET", "/ruled/{id}:go", "", ""}, {"t.Svc.Plain", "PUT", "/ruled/{id}", "", ""}})}),
            "");
}

TEST(RouteTable, KeepsRulesAwayFromTheStar) {
  RouteSource star{"*", "any", {}, {{"x", "GET", "/x", "", ""}}, nullptr, 0, "conf.yaml:5:5"};
  EXPECT_EQ(error_of({star}), "conf.yaml:5:5: http_rules need a service by name, not \"*\"");
}

}  // namespace
}  // namespace transom
