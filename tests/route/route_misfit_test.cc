#include "route/route_misfit.h"

#include <gtest/gtest.h>

#include "support/proto_text.h"

namespace transom {
namespace {

constexpr const char* kSchema = R"(
syntax = "proto3"; package t;
message M { string id = 1; string to = 2; }
service S { rpc Get(M) returns (M); })";

// A router of one rule, and of the RPC's own path for gRPC.
std::shared_ptr<const Router> router_of(const HttpRule& rule, const RouteMatch& match) {
  static const SchemaPtr schema = schema_of(kSchema);
  RouteSource source;
  source.service = "t.S";
  source.backend = "b";
  source.match = match;
  source.http_rules = {rule};
  source.schema = schema;
  return build_router({&source, 1}).value();
}

struct Case {
  std::string method;
  std::string path;
  std::string host;
  std::string header;  // of x-who
  std::string misfit;
};

void check_cases(const HttpRule& rule, const RouteMatch& match, const std::vector<Case>& cases,
                 const BindingOptions& options = {}) {
  const auto router = router_of(rule, match);
  for (const Case& each : cases) {
    Fields fields;
    if (!each.header.empty()) {
      fields.add("x-who", each.header);
    }
    const RouteRequest request{.method = each.method, .path = each.path, .host = each.host, .fields = fields};
    EXPECT_EQ(misfit_of(*router->routes()[0], request, options), each.misfit) << each.method << " " << each.path;
    // The router itself is of the same opinion.
    const bool is_found = std::holds_alternative<Found>(router->find(request, {&options, 1}));
    EXPECT_EQ(is_found, each.misfit.empty()) << each.method << " " << each.path;
  }
}

TEST(RouteMisfit, NamesTheSegmentTheVerbAndTheMethod) {
  check_cases({"t.S.Get", "GET", "/v1/items/{id}:show", "", ""}, {},
              {{"GET", "/v1/items/a%2Fb:show?to=x", "", "", ""},
               {"HEAD", "/v1/items/a:show", "", "", ""},
               {"GET", "/v1/item/a:show", "", "", "segment 2 is `item`, not `items`"},
               {"GET", "/v1/items/:show", "", "", "segment 3 is empty"},
               {"GET", "/v1/items/a", "", "", "the path does not end in `:show`"},
               {"GET", "/v1/items:show", "", "", "the path has 2 segments, its template 3"},
               {"GET", "/v1/items/a/b:show", "", "", "the path has 4 segments, its template 3"},
               {"POST", "/v1/items/a:show", "", "", "it answers GET, not POST"}});
}

TEST(RouteMisfit, CountsFromTheEndBehindManySegments) {
  check_cases({"t.S.Get", "*", "/v1/{id=**}/tail", "", ""}, {},
              {{"PUT", "/v1/a/b/c/tail", "", "", ""},
               {"GET", "/v1/tail", "", "", ""},
               {"GET", "/v1/a/b/tails", "", "", "segment 4 is `tails`, not `tail`"},
               {"GET", "/v1", "", "", "the path has 1 segment, its template at least 2"}});
}

TEST(RouteMisfit, NamesWhatTheMatchWants) {
  check_cases({"t.S.Get", "GET", "/x", "", ""},
              {.hosts = {"a.test", "*.b.test"}, .headers = {{"x-who", "me"}}, .path_prefix = "/p"},
              {{"GET", "/p/x", "A.test:80", "me", ""},
               {"GET", "/x", "a.test", "me", "the path does not begin with `/p`"},
               {"GET", "/p/x", "b.test", "me", "the host is `b.test`, its match wants `*.b.test` or `a.test`"},
               {"GET", "/p/x", "", "me", "there is no host, its match wants `*.b.test` or `a.test`"},
               {"GET", "/p/x", "x.b.test", "you", "header x-who is `you`, its match wants `me`"},
               {"GET", "/p/x", "x.b.test", "", "there is no header x-who, its match wants `me`"}});
}

TEST(RouteMisfit, SaysThatATrailingSlashIsNotTolerated) {
  check_cases({"t.S.Get", "GET", "/x", "", ""}, {}, {{"GET", "/x/", "", "", ""}});
  BindingOptions strict;
  strict.strictness.set(Slip::TrailingSlash, Verdict::Reject);
  check_cases({"t.S.Get", "GET", "/x", "", ""}, {}, {{"GET", "/x/", "", "", "the path ends in a slash"}}, strict);
}

TEST(RouteMisfit, TellsGrpcFromJson) {
  const auto router = router_of({"t.S.Get", "GET", "/x", "", ""}, {});
  const Fields fields;
  for (const auto& route : router->routes()) {
    const bool takes_grpc = route->kind == RouteKind::Grpc;
    const RouteRequest call{.method = "POST", .path = "/t.S/Get", .host = "", .fields = fields, .is_grpc = true};
    EXPECT_EQ(misfit_of(*route, call, {}), takes_grpc ? "" : "a gRPC call goes by its RPC's path");
    const RouteRequest json{.method = "GET", .path = "/x", .host = "", .fields = fields};
    EXPECT_EQ(misfit_of(*route, json, {}), takes_grpc ? "it takes gRPC calls only" : "");
  }
}

}  // namespace
}  // namespace transom
