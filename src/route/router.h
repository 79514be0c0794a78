// The Router finds the Route of a request and takes the values out of its path and query. It is one immutable table,
// built from all configured routes; any thread reads it without a lock. The most specific template wins, whatever the order.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/fields.h"
#include "base/status.h"
#include "base/strictness.h"
#include "route/percent.h"
#include "route/route.h"

namespace transom {

// What the configuration says of one service.
struct RouteSource {
  std::string service;   // "package.Service" or "*"
  std::string backend;
  RouteMatch match;
  std::vector<HttpRule> http_rules;  // replace the annotations of their selectors
  SchemaPtr schema;      // nullptr only for "*", or while a reflected schema is still missing
  size_t options_index = 0;
  std::string place;     // "conf.yaml:12:5", for errors
};

// How query and path are read.
struct BindingOptions {
  Strictness strictness;       // UnknownQueryKey, BoundField and TrailingSlash are looked at here
  bool plus_is_space = false;  // in a query, as HTML forms write it
  Escapes kept_escapes = Escapes::Reserved;  // in path variables of several segments
};

struct RouteRequest {
  std::string_view method;
  std::string_view path;       // raw, with query: "/v1/a%2Fb?x=1"
  std::string_view host;       // Host or :authority, may have a port
  const Fields& fields;
  bool is_grpc = false;        // content-type application/grpc*
  // A question about a request to come: it is never found, but its refusal has `allow`. The values of that request's
  // fields are not known, so `match.headers` is not looked at.
  bool is_preflight = false;
  // Its verb says nothing: it takes the path's GET rule, else POST, else any, else the RPC that its path names.
  bool is_web_socket = false;
};

struct Found {
  const Route* route = nullptr;          // never null
  std::string_view rpc_path;             // for the call; of a PassThrough a part of the request's path, else the Route's
  std::vector<Binding> bindings;         // path first, then query, in order
  std::vector<std::unique_ptr<FieldPath>> paths;  // storage of query bindings' paths
  std::string alt;                       // value of the query's `$alt`: the form of the answer; "" when there is none
  SlipSet slips;                         // let pass and to be reported
};

// Why nothing was found.
struct NotFound {
  // 404 code 5 (gRPC: code 12), 405 code 12, 400 code 3; 503 code 14 while a schema is not known that may have the path
  Status status;
  std::string allow;          // for 405 and OPTIONS: "GET, HEAD, POST, OPTIONS"
  std::string route_label;    // for 405: the template; else ""
  const Route* route = nullptr;  // for 400 of its path's or query's values
  bool is_for_grpc = false;   // 415: the content type is not of gRPC, and only a gRPC call has a route
};

class Router {
 public:
  virtual ~Router() = default;

  // HEAD is found as GET where no rule says HEAD; OPTIONS without a rule of its own is a 405 with `allow`. Linear in the
  // path. options_of: by Route::options_index; where it is too short the defaults hold.
  virtual std::variant<Found, NotFound> find(const RouteRequest& request, std::span<const BindingOptions> options_of) const = 0;
  // The methods that this path answers, for OPTIONS ("" when the path is unknown).
  virtual std::string allow(const RouteRequest& request) const = 0;
  virtual std::span<const std::unique_ptr<Route>> routes() const = 0;
};

// Errors name the method, the rule and its place: bad templates, unknown selectors and fields, a clash of two rules (both named).
// A source without its schema (and not "*") gives no routes yet: what its `match` lets in and no route has is a 503.
Result<std::shared_ptr<const Router>> build_router(std::span<const RouteSource> sources);

}  // namespace transom
