#include "route/router.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/proto_text.h"

namespace transom {
namespace {

constexpr const char* kSchema = R"(
  syntax = "proto3";
  package t;
  import "google/protobuf/timestamp.proto";
  message Sub { string name = 1; int32 num = 2; }
  message In { string id = 1; Sub sub = 2; int64 n = 3; repeated string names = 4; bytes blob = 5; }
  message Out { string id = 1; Sub sub = 2; }
  service Svc { rpc A(In) returns (Out); rpc B(In) returns (Out); rpc C(In) returns (Out); rpc D(In) returns (Out); }
  service Other { rpc A(In) returns (Out); }
)";

const SchemaPtr& schema() {
  static const SchemaPtr made = schema_of(kSchema);
  return made;
}

HttpRule rule(char method, std::string verb, std::string path, std::string body = "", std::string response_body = "") {
  return {std::string("t.Svc.") + method, std::move(verb), std::move(path), std::move(body), std::move(response_body)};
}

RouteSource source(std::vector<HttpRule> rules, RouteMatch match = {}, std::string backend = "iris") {
  return {"t.Svc", std::move(backend), std::move(match), std::move(rules), schema(), 0, "conf.yaml:1:1"};
}

std::shared_ptr<const Router> make(std::vector<RouteSource> sources) {
  auto router = build_router(sources);
  EXPECT_TRUE(router.ok()) << router.status().message;
  return router.ok() ? *router : nullptr;
}

BindingOptions with(Slip slip, Verdict verdict) {
  BindingOptions options;
  options.strictness.set(slip, verdict);
  return options;
}

struct Ask {
  std::string method;
  std::string path;
  std::string host = "localhost:8080";
  Fields fields = {};
  bool is_grpc = false;
};

std::variant<Found, NotFound> find(const Router& router, const Ask& ask, BindingOptions options = {}) {
  return router.find({ask.method, ask.path, ask.host, ask.fields, ask.is_grpc}, {&options, 1});
}

// "t.Svc/A id=x n=5", or the HTTP status that refuses.
std::string outcome(const Router& router, const Ask& ask, BindingOptions options = {}) {
  auto answer = find(router, ask, options);
  if (const NotFound* refusal = std::get_if<NotFound>(&answer); refusal != nullptr) {
    return std::to_string(http_status_of(refusal->status));
  }
  const Found& found = std::get<Found>(answer);
  std::string text = found.route->rpc;
  for (const Binding& binding : found.bindings) {
    text += " " + binding.name + "=" + binding.text;
  }
  return text;
}

struct Case {
  std::string method;
  std::string path;
  std::string expected;
};

void expect_outcomes(const Router& router, const std::vector<Case>& cases, BindingOptions options = {}) {
  for (const Case& c : cases) {
    EXPECT_EQ(outcome(router, {c.method, c.path}, options), c.expected) << c.method << " " << c.path;
  }
}

TEST(Router, DecodesASingleSegmentWhollyAndOnce) {
  auto router = make({source({rule('A', "GET", "/v1/m/{id}")})});
  expect_outcomes(*router, {
                               {"GET", "/v1/m/a%2Fb", "t.Svc/A id=a/b"},
                               {"GET", "/v1/m/a%252Fb", "t.Svc/A id=a%2Fb"},
                               {"GET", "/v1/m/100%25", "t.Svc/A id=100%"},
                               {"GET", "/v1/m/a:b", "t.Svc/A id=a:b"},
                               {"GET", "/v1/m/a%3Ab", "t.Svc/A id=a:b"},
                               {"GET", "/v1/m/a+b", "t.Svc/A id=a+b"},
                               {"GET", "/v1/m/caf%C3%A9", "t.Svc/A id=caf\xc3\xa9"},
                           });
}

TEST(Router, KeepsReservedEscapesOfSeveralSegments) {
  auto router = make({source({rule('A', "GET", "/v1/{id=multi/**}"), rule('B', "GET", "/v2/{id=p/*/q/*}")})});
  expect_outcomes(*router, {
                               {"GET", "/v1/multi/a%2Fb/c%20d", "t.Svc/A id=multi/a%2Fb/c d"},
                               {"GET", "/v1/multi/%2f%23/%20%2523", "t.Svc/A id=multi/%2f%23/ %23"},
                               {"GET", "/v1/multi", "t.Svc/A id=multi"},
                               {"GET", "/v1/multi/", "t.Svc/A id=multi"},
                               {"GET", "/v1/multi/a/", "t.Svc/A id=multi/a"},
                               {"GET", "/v2/p/1%2F2/q/3", "t.Svc/B id=p/1%2F2/q/3"},
                           });
}

TEST(Router, NeverBindsAnEmptySegment) {
  auto router = make({source({rule('A', "GET", "/v1/m/{id}"), rule('B', "GET", "/v1/m/{id}/sub")})});
  expect_outcomes(*router, {
                               {"GET", "/v1/m/x/", "t.Svc/A id=x"},
                               {"GET", "/v1/m/x//", "404"},
                               {"GET", "/v1/m/", "404"},
                               {"GET", "/v1/m//", "404"},
                               {"GET", "/v1/m", "404"},
                               {"GET", "/v1/m//sub", "404"},
                               {"GET", "//v1/m/a", "404"},
                               {"GET", "/v1//m/a", "404"},
                               {"GET", "/v1/./m/a", "404"},
                               {"GET", "/V1/m/a", "404"},
                           });
}

TEST(Router, TakesATrailingSlashOnlyWhereItIsTolerated) {
  auto router = make({source({rule('A', "GET", "/v1/m/{id}")})});
  BindingOptions options;
  options.strictness.set(Slip::TrailingSlash, Verdict::Reject);
  expect_outcomes(*router, {{"GET", "/v1/m/x/", "404"}, {"GET", "/v1/m/x", "t.Svc/A id=x"}}, options);
}

TEST(Router, PrefersLiteralsToOneSegmentToManyWithBacktracking) {
  std::vector<HttpRule> rules = {rule('C', "GET", "/c/**"), rule('A', "GET", "/c/*/d/e"), rule('B', "GET", "/c/f/d/e")};
  for (int turn = 0; turn < 3; ++turn) {
    std::ranges::rotate(rules, rules.begin() + 1);
    auto router = make({source(rules)});
    expect_outcomes(*router, {
                                 {"GET", "/c/x/d/e", "t.Svc/A"},
                                 {"GET", "/c/f/d/e", "t.Svc/B"},
                                 {"GET", "/c/f/d/z", "t.Svc/C"},
                                 {"GET", "/c", "t.Svc/C"},
                                 {"GET", "/d", "404"},
                             });
  }
}

TEST(Router, BacktracksToATemplateThatAnswersTheMethod) {
  auto router = make({source({rule('A', "GET", "/c/{id}"), rule('B', "POST", "/c/f"), rule('C', "*", "/c/**")})});
  expect_outcomes(*router, {
                               {"GET", "/c/f", "t.Svc/A id=f"},
                               {"POST", "/c/f", "t.Svc/B"},
                               {"PUT", "/c/f", "t.Svc/C"},
                           });
}

TEST(Router, TakesAVerbOnlyWhereOneIsKnown) {
  auto router = make({source({rule('A', "GET", "/v1/{id=p/*/q/*}:act"), rule('B', "POST", "/v1/m/{id}:predict"),
                              rule('C', "GET", "/v1/m/{id}"), rule('D', "GET", "/v1/all/{id=**}:act")})});
  expect_outcomes(*router, {
                               {"GET", "/v1/p/1/q/2:act", "t.Svc/A id=p/1/q/2"},
                               {"GET", "/v1/p/1/q/2", "404"},
                               {"GET", "/v1/p/1/q/2:nope", "404"},
                               {"GET", "/v1/p/1/q/2%3Aact", "404"},
                               {"POST", "/v1/m/iris:predict", "t.Svc/B id=iris"},
                               {"POST", "/v1/m/iris:predict/", "t.Svc/B id=iris"},
                               {"POST", "/v1/m/llama3:8b:predict", "t.Svc/B id=llama3:8b"},
                               {"GET", "/v1/m/llama3:8b", "t.Svc/C id=llama3:8b"},
                               {"POST", "/v1/m/:predict", "405"},
                               {"GET", "/v1/m/:predict", "t.Svc/C id=:predict"},
                               {"GET", "/v1/all/a/b:act", "t.Svc/D id=a/b"},
                           });
}

TEST(Router, MatchesWhatFollowsManySegmentsFromTheEnd) {
  auto router = make({source({rule('A', "GET", "/v1/{id=**}/end"), rule('B', "GET", "/v1/{id=**}/the/end"),
                              rule('C', "GET", "/v2/{id=a/**/z}/end")})});
  expect_outcomes(*router, {
                               {"GET", "/v1/a/b/end", "t.Svc/A id=a/b"},
                               {"GET", "/v1/a/the/end", "t.Svc/B id=a"},
                               {"GET", "/v1/end", "t.Svc/A id="},
                               {"GET", "/v1/a/b", "404"},
                               {"GET", "/v2/a/b/c/z/end", "t.Svc/C id=a/b/c/z"},
                           });
}

TEST(Router, ComparesLiteralsDecoded) {
  auto router = make({source({rule('A', "GET", "/caf%C3%A9/x"), rule('B', "GET", "/plain")})});
  expect_outcomes(*router,
                  {{"GET", "/caf%c3%a9/x", "t.Svc/A"}, {"GET", "/pl%61in", "t.Svc/B"}, {"GET", "/plain%2F", "404"}});
}

TEST(Router, RefusesBadEscapesAndBadUtf8) {
  auto router = make({source({rule('A', "GET", "/v1/m/{id}")})});
  expect_outcomes(*router, {
                               {"GET", "/v1/m/%zz", "400"},
                               {"GET", "/v1/m/%", "400"},
                               {"GET", "/v1/m/%f", "400"},
                               {"GET", "/v1/m/%ff", "400"},
                               {"GET", "/v1/m/%ed%a0%80", "400"},
                               {"GET", std::string("/v1/m/%00"), std::string("t.Svc/A id=\0", 12)},
                               {"GET", "/v1/m/x?n=%zz", "400"},
                               {"GET", "/v1/m/x?names=%ff", "400"},
                               {"GET", "/v1/m/x?%ff=1", "400"},
                               {"GET", "*", "404"},
                               {"GET", "", "404"},
                           });
}

TEST(Router, StaysLinearOnLongPaths) {
  auto router =
      make({source({rule('A', "GET", "/a/{id=**}"), rule('B', "GET", "/a/*/*/*/x"), rule('C', "GET", "/b/{id}")})});
  const std::string slashes(64'000, '/');
  EXPECT_EQ(outcome(*router, {"GET", "/a" + slashes}), "t.Svc/A id=" + slashes.substr(2));
  EXPECT_EQ(outcome(*router, {"GET", slashes}), "404");
  std::string segments = "/b";
  for (int i = 0; i < 4'000; ++i) {
    segments += "/x";
  }
  EXPECT_EQ(outcome(*router, {"GET", segments}), "404");
  auto deep = make({source({rule('A', "GET", segments)})});
  EXPECT_EQ(outcome(*deep, {"GET", segments}), "t.Svc/A");
}

TEST(Router, BindsNestedFieldsInTheOrderOfThePath) {
  auto router = make({source({rule('A', "GET", "/v1/{sub.name}/of/{id}/{n}")})});
  expect_outcomes(*router, {{"GET", "/v1/a/of/b/7", "t.Svc/A sub.name=a id=b n=7"}});
  auto answer = find(*router, {"GET", "/v1/a/of/b/7"});
  const Found& found = std::get<Found>(answer);
  ASSERT_EQ(found.bindings[0].path->size(), 2u);
  EXPECT_EQ(found.bindings[0].path->back()->proto_name, "name");
  EXPECT_EQ(found.bindings[0].origin, Origin::Path);
}

TEST(Router, AnswersAKnownPathWithAnotherMethodBy405AndAllow) {
  auto router = make({source({rule('A', "GET", "/v1/m/{id}"), rule('B', "DELETE", "/v1/m/{id}"),
                              rule('C', "PURGE", "/v1/m/x"), rule('D', "POST", "/v1/m/{id}:predict")})});
  auto answer = find(*router, {"PUT", "/v1/m/x"});
  const NotFound& refusal = std::get<NotFound>(answer);
  EXPECT_EQ(refusal.status.code, Code::Unimplemented);
  EXPECT_EQ(refusal.status.fault, Fault::Client);
  EXPECT_EQ(http_status_of(refusal.status), 405);
  EXPECT_EQ(refusal.allow, "GET, HEAD, DELETE, PURGE, OPTIONS");
  EXPECT_EQ(refusal.route_label, "/v1/m/x");
  Fields none;
  EXPECT_EQ(router->allow({"OPTIONS", "/v1/m/y?x=1", "h", none}), "GET, HEAD, DELETE, OPTIONS");
  EXPECT_EQ(router->allow({"OPTIONS", "/v1/m/y:predict", "h", none}), "GET, HEAD, POST, DELETE, OPTIONS");
  EXPECT_EQ(router->allow({"OPTIONS", "/nowhere", "h", none}), "");
}

TEST(Router, APreflightIsToldWhatItsPathAnswersWhateverTheFieldsOfTheRequestToCome) {
  RouteSource by_header = source({rule('C', "PUT", "/v1/m/{id}")});
  by_header.match.headers = {{"x-tenant", "a"}};
  RouteSource by_host = source({rule('D', "PATCH", "/v1/m/{id}")});
  by_host.match.hosts = {"other.example"};
  auto router = make({source({rule('A', "GET", "/v1/m/{id}"), rule('B', "OPTIONS", "/v1/m/{id}")}), by_header, by_host});
  Fields none;
  RouteRequest request{"OPTIONS", "/v1/m/x", "h.example", none};
  EXPECT_TRUE(std::holds_alternative<Found>(router->find(request, {})));
  request.is_preflight = true;
  const auto answer = router->find(request, {});
  EXPECT_EQ(std::get<NotFound>(answer).allow, "GET, HEAD, PUT, OPTIONS");
  EXPECT_EQ(std::get<NotFound>(answer).route_label, "/v1/m/{id}");
  request.path = "/nowhere";
  EXPECT_EQ(http_status_of(std::get<NotFound>(router->find(request, {})).status), 404);
}

TEST(Router, FindsHeadAsGetUnlessARuleSaysHead) {
  auto router = make(
      {source({rule('A', "GET", "/a"), rule('B', "HEAD", "/b"), rule('C', "GET", "/b"), rule('D', "POST", "/d")})});
  expect_outcomes(*router, {{"HEAD", "/a", "t.Svc/A"}, {"HEAD", "/b", "t.Svc/B"}, {"HEAD", "/d", "405"}});
}

TEST(Router, GivesAMethodWithoutARuleThePostOfItsGrpcPath) {
  auto router = make({source({rule('A', "GET", "/a")})});
  Fields none;
  expect_outcomes(*router, {
                               {"POST", "/t.Svc/B", "t.Svc/B"},
                               {"POST", "/t.Svc/B/", "t.Svc/B"},
                               {"GET", "/t.Svc/B", "405"},
                               {"POST", "/t.Svc/A", "404"},
                           });
  auto answer = find(*router, {"POST", "/t.Svc/B"});
  const Route& route = *std::get<Found>(answer).route;
  EXPECT_EQ(route.kind, RouteKind::Json);
  EXPECT_EQ(route.label, "/t.Svc/B");
  EXPECT_EQ(route.request.body, BodyKind::Whole);
}

TEST(Router, AlwaysServesTheGrpcPathToGrpcClients) {
  auto router = make({source({rule('A', "GET", "/a")})});
  for (const char* method : {"A", "B"}) {
    auto answer = find(*router, {"POST", std::string("/t.Svc/") + method, "h", {}, true});
    const Found& found = std::get<Found>(answer);
    EXPECT_EQ(found.route->kind, RouteKind::Grpc);
    EXPECT_EQ(found.route->label, std::string("/t.Svc/") + method);
    EXPECT_EQ(found.rpc_path, std::string("/t.Svc/") + method);
    EXPECT_EQ(found.route->rpc, std::string("t.Svc/") + method);
  }
  auto unknown = find(*router, {"POST", "/a", "h", {}, true});
  EXPECT_EQ(std::get<NotFound>(unknown).status.code, Code::Unimplemented);
  EXPECT_EQ(outcome(*router, {"GET", "/t.Svc/A", "h", {}, true}), "405");
}

TEST(Router, PassesAnyGrpcMethodThroughForTheStar) {
  RouteSource star{"*", "any", {}, {}, nullptr, 0, "conf.yaml:9:1"};
  auto router = make({source({}), star});
  auto known = find(*router, {"POST", "/t.Svc/A", "h", {}, true});
  EXPECT_EQ(std::get<Found>(known).route->kind, RouteKind::Grpc);
  const Ask ask{"POST", "/x.Y/Z", "h", {}, true};  // rpc_path is a part of its path
  auto other = find(*router, ask);
  const Found& found = std::get<Found>(other);
  EXPECT_EQ(found.route->kind, RouteKind::PassThrough);
  EXPECT_EQ(found.route->label, "*");
  EXPECT_EQ(found.route->rpc, "");
  EXPECT_EQ(found.rpc_path, "/x.Y/Z");
  EXPECT_EQ(outcome(*router, {"POST", "/x.Y/Z"}), "404");
}

// "If Content-Type does not begin with application/grpc, gRPC servers SHOULD respond with HTTP status of 415."
TEST(Router, RefusesOtherContentTypesOnlyWhereAGrpcCallWouldPassThrough) {
  const RouteSource star{"*", "any", {{}, {}, "/g"}, {}, nullptr, 0, "conf.yaml:9:1"};
  const auto router = make({star});
  const auto answer = [&](const char* method, const char* path, const char* type) {
    Ask ask{method, path};
    ask.fields.add("content-type", type);
    return outcome(*router, ask);
  };
  EXPECT_EQ(answer("POST", "/g/x.Y/Z", "image/jpeg"), "415");
  EXPECT_EQ(answer("POST", "/g/x.Y/Z", "application/json"), "404");
  EXPECT_EQ(answer("GET", "/g/x.Y/Z", "image/jpeg"), "404");
  for (const char* path : {"/x.Y/Z", "/g/x.Y", "/g/x.Y/Z/A", "/g/x.Y/", "/g//Z", "/"}) {
    EXPECT_EQ(answer("POST", path, "image/jpeg"), "404") << path;
  }
}

TEST(Router, FindsAWebSocketByItsPathWhateverTheMethod) {
  RouteSource star{"*", "any", {}, {}, nullptr, 0, "conf.yaml:9:1"};
  auto router = make({source({rule('A', "PUT", "/v1/{id}", "*"), rule('B', "POST", "/v1/{id}", "*"),
                              rule('C', "GET", "/v1/{id}"), rule('B', "PUT", "/v2", "*"), rule('C', "POST", "/v2", "*"),
                              rule('A', "DELETE", "/v3")}),
                      star});
  struct Case {
    const char* path;
    const char* rpc;
    RouteKind kind;
  };
  const Case cases[] = {
      {"/v1/x", "t.Svc/C", RouteKind::Json},
      {"/v2", "t.Svc/C", RouteKind::Json},
      {"/v3", "t.Svc/A", RouteKind::Json},
      {"/t.Svc/A", "t.Svc/A", RouteKind::Grpc},
      {"/t.Svc/D", "t.Svc/D", RouteKind::Json},
      {"/other.Svc/A", "", RouteKind::PassThrough},
      {"/v4", nullptr, RouteKind::Json},
      {"/", nullptr, RouteKind::Json},
  };
  for (const Case& each : cases) {
    RouteRequest request{"CONNECT", each.path, "localhost", {}};
    request.is_web_socket = true;
    const auto answer = router->find(request, {});
    const Found* found = std::get_if<Found>(&answer);
    ASSERT_EQ(found != nullptr, each.rpc != nullptr) << each.path;
    if (found == nullptr) {
      EXPECT_EQ(http_status_of(std::get<NotFound>(answer).status), 404) << each.path;
      continue;
    }
    EXPECT_EQ(found->route->rpc, each.rpc) << each.path;
    EXPECT_EQ(found->route->kind, each.kind) << each.path;
    if (each.kind != RouteKind::PassThrough) {
      EXPECT_EQ(found->route->frames.body, BodyKind::Whole) << each.path;
    }
  }
}

TEST(Router, TriesTheLongerPrefixThenHostsThenMoreHeaders) {
  const std::vector<HttpRule> rules = {rule('A', "GET", "/m/{id}")};
  const auto backend_of = [](const Router& router, const Ask& ask) {
    auto answer = find(router, ask);
    const Found* found = std::get_if<Found>(&answer);
    return found == nullptr ? "none" : found->route->backend;
  };
  auto router = make({
      source(rules, {}, "plain"),
      source(rules, {{}, {{"X-Env", "dev"}}, ""}, "header"),
      source(rules, {{}, {{"x-env", "dev"}, {"x-run", "2"}}, ""}, "headers"),
      source(rules, {{"*.example.com"}, {}, ""}, "suffix"),
      source(rules, {{"A.example.com"}, {}, ""}, "host"),
      source(rules, {{}, {}, "/api/"}, "prefix"),
      source(rules, {{}, {}, "/api/v2"}, "longer"),
  });
  Fields dev;
  dev.add("x-env", "dev");
  Fields both = dev;
  both.add("x-run", "2");
  EXPECT_EQ(backend_of(*router, {"GET", "/m/1"}), "plain");
  EXPECT_EQ(backend_of(*router, {"GET", "/m/1", "localhost", dev}), "header");
  EXPECT_EQ(backend_of(*router, {"GET", "/m/1", "localhost", both}), "headers");
  EXPECT_EQ(backend_of(*router, {"GET", "/m/1", "a.EXAMPLE.com:80", both}), "host");
  EXPECT_EQ(backend_of(*router, {"GET", "/m/1", "b.example.com"}), "suffix");
  EXPECT_EQ(backend_of(*router, {"GET", "/m/1", "example.com"}), "plain");
  EXPECT_EQ(backend_of(*router, {"GET", "/api/m/1", "a.example.com"}), "prefix");
  EXPECT_EQ(backend_of(*router, {"GET", "/api/v2/m/1"}), "longer");
  EXPECT_EQ(backend_of(*router, {"GET", "/apix/m/1"}), "none");
  EXPECT_EQ(backend_of(*router, {"POST", "/api/t.Svc/A", "h", {}, true}), "prefix");
}

TEST(Router, PutsThePrefixIntoTheLabel) {
  auto router = make({source({rule('A', "GET", "/m/{id}"), rule('B', "GET", "/")}, {{}, {}, "/api"})});
  auto answer = find(*router, {"GET", "/api/m/1"});
  EXPECT_EQ(std::get<Found>(answer).route->label, "/api/m/{id}");
  for (const char* path : {"/api", "/api/"}) {
    auto root = find(*router, {"GET", path});
    EXPECT_EQ(std::get<Found>(root).route->label, "/api") << path;
  }
}

TEST(Router, ReadsTheQueryByTheRoutesOptions) {
  auto router = make({source({rule('A', "GET", "/v1/m/{id}")})});
  expect_outcomes(*router, {
                               {"GET", "/v1/m/a?id=q", "t.Svc/A id=a"},
                               {"GET", "/v1/m/a?n=5&names=x&names=y", "t.Svc/A id=a n=5 names=x names=y"},
                               {"GET", "/v1/m/a?nope=1", "400"},
                               {"GET", "/v1/m/a?", "t.Svc/A id=a"},
                           });
  expect_outcomes(*router, {{"GET", "/v1/m/a?nope=1", "t.Svc/A id=a"}}, with(Slip::UnknownQueryKey, Verdict::Ignore));
  expect_outcomes(*router, {{"GET", "/v1/m/a?id=q", "400"}}, with(Slip::BoundField, Verdict::Reject));
}

TEST(Router, NamesTheRouteWhoseValuesItRefuses) {
  auto router = make({source({rule('A', "GET", "/v1/m/{n}")})});
  for (const char* path : {"/v1/m/1?nope=1", "/v1/m/%ff"}) {
    auto answer = find(*router, {"GET", path});
    const NotFound& refusal = std::get<NotFound>(answer);
    EXPECT_EQ(http_status_of(refusal.status), 400) << path;
    ASSERT_NE(refusal.route, nullptr) << path;
    EXPECT_EQ(refusal.route->rpc, "t.Svc/A") << path;
  }
  auto unknown = find(*router, {"GET", "/nowhere"});
  EXPECT_EQ(std::get<NotFound>(unknown).route, nullptr);
}

TEST(Router, AnswersWhatAnUnknownSchemaMayHaveBy503) {
  RouteSource known = source({rule('A', "GET", "/a")});
  RouteSource later = source({}, {{"*.later.test"}, {{"x-who", "me"}}, "/two"}, "pending");
  later.schema = nullptr;
  later.service = "t.Later";
  auto router = make({known, later});
  const Fields me = [] {
    Fields fields;
    fields.add("x-who", "me");
    return fields;
  }();
  const struct {
    Ask ask;
    const char* expected;
  } rows[] = {
      {{"GET", "/a"}, "t.Svc/A"},
      {{"POST", "/a"}, "405"},
      {{"GET", "/b"}, "404"},
      {{"GET", "/two/b", "a.later.test:80", me}, "503"},
      {{"GET", "/two", "a.later.test", me}, "503"},
      {{"GET", "/twofold", "a.later.test", me}, "404"},
      {{"GET", "/two/b", "other.test", me}, "404"},
      {{"GET", "/two/b", "a.later.test"}, "404"},
      {{"OPTIONS", "/two/b", "a.later.test", me}, "503"},
      {{"POST", "/two/t.Later/A", "a.later.test", me, true}, "503"},
      {{"POST", "/two/t.Other/A", "a.later.test", me, true}, "404"},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(outcome(*router, row.ask), row.expected) << row.ask.method << " " << row.ask.host << row.ask.path;
  }
  auto answer = find(*router, {"GET", "/two/b", "a.later.test", me});
  const Status& status = std::get<NotFound>(answer).status;
  EXPECT_EQ(status.code, Code::Unavailable);
  EXPECT_NE(status.message.find("the schema of backend pending is not known yet"), std::string::npos) << status.message;
}

TEST(Router, HoldsItsRoutesForListing) {
  auto router = make({source({rule('A', "GET", "/a")})});
  std::vector<std::string> lines;
  for (const auto& route : router->routes()) {
    if (route->kind == RouteKind::Json) {
      lines.push_back(route->method + " " + route->label + " " + route->rpc + " " + route->backend);
    }
  }
  EXPECT_EQ(lines, (std::vector<std::string>{"GET /a t.Svc/A iris", "POST /t.Svc/B t.Svc/B iris",
                                             "POST /t.Svc/C t.Svc/C iris", "POST /t.Svc/D t.Svc/D iris"}));
}

}  // namespace
}  // namespace transom
