// A Route is one HTTP rule made ready: method and template, the RPC behind it, where body and answer go, and the
// backend's name. Routes are made at load by RouterBuilder and never change; requests hold their Router's snapshot.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"
#include "schema/binding.h"
#include "schema/schema.h"
#include "schema/shape.h"

namespace transom {

// `match` of a configured route: all that is given must hold.
struct RouteMatch {
  std::vector<std::string> hosts;  // exact or "*.suffix", lower case, port ignored
  std::vector<std::pair<std::string, std::string>> headers;  // exact values, names in lower case
  std::string path_prefix;         // "" or "/a/b", stripped before the template is tried
};

enum class RouteKind : uint8_t {
  Json,         // an http rule, or the default POST
  Grpc,         // "/package.Service/Method" for gRPC clients
  PassThrough,  // service: "*", any gRPC method, no schema
};

struct Route {
  RouteKind kind = RouteKind::Json;
  std::string method;         // "GET"; "*" for any
  std::string label;          // the metric's route: match prefix and template; "*" for a pass-through
  std::string rpc;            // "package.Service/Method", "" where the schema does not know it
  std::string rpc_path;       // "/package.Service/Method"
  std::string backend;
  RouteMatch match;           // in its normal form
  size_t options_index = 0;   // of the configured route it came from: which JSON options and the like hold
  const MethodPlan* plan = nullptr;  // nullptr for PassThrough
  RequestShape request;       // what the rule says of the request message
  RequestShape frames;        // what a WebSocket's message says of it: as `request`, but the whole where that has no body
  ResponseShape response;
  SchemaPtr schema;           // keeps the plans alive
};

}  // namespace transom
