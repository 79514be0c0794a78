// A ServiceRouter finds the RPC that an HTTP request means, by google.api.http rules, and takes the values out of its
// path and query. Like its schema it is a handle to an immutable table: cheap to copy, usable by any thread, ended by
// the last handle or RoutedRequest. The most specific template wins, whatever the order.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "transom/expected.h"
#include "transom/schema.h"

namespace transom {

class Router;

// The fields of google.api.HttpRule.
struct RouteRule {
  std::string selector;       // "package.Service.Method"
  std::string method;         // "GET", "POST" ...; "*" is any
  std::string path;           // "/v1/models/{model_name}:predict"
  std::string body;           // "": none, "*": the whole message, else a field's name
  std::string response_body;  // "": the whole message, else a field's name
};

struct ServiceRoutes {
  std::string service = {};             // "package.Service": its annotations, else POST /package.Service/Method
  std::vector<RouteRule> rules = {};    // replace the annotations of the methods that they select
  std::string path_prefix = {};         // "" or "/a/b": stands before every path, and is taken away first
  std::vector<std::string> hosts = {};  // exact names or "*.suffix", the port does not count; empty: any host
};

struct RoutingSettings {
  bool ignore_unknown_query_parameters = false;  // false: a key that names no field is a failure, code 3
  bool strict = false;                  // a query key that names what path or body give is a failure, not ignored
  bool tolerate_trailing_slash = true;  // /v1/a/ is /v1/a
};

// One request that found its RPC, with what path and query say of the message. Keeps the schema and the table alive;
// may go to another thread, but is used by one at a time.
class RoutedRequest {
 public:
  RoutedRequest(RoutedRequest&&) noexcept;
  RoutedRequest& operator=(RoutedRequest&&) noexcept;
  ~RoutedRequest();

  const std::string& rpc_path() const;  // "/package.Service/Method", the :path of a gRPC call
  const std::string& route() const;     // prefix and template, as "/v1/models/{model_name}:predict"
  bool takes_body() const;              // false: the rule has no body, and what came as one is not looked at
  bool is_client_streaming() const;
  bool is_server_streaming() const;

 private:
  friend class ServiceRouter;
  friend class Transcoder;
  struct Held;

  explicit RoutedRequest(std::unique_ptr<Held> held);

  std::unique_ptr<Held> held_;
};

class ServiceRouter {
 public:
  // Fails with code 3 and names method and rule: an unknown service, selector or field, a bad template, two rules with
  // the same method and template.
  static Expected<ServiceRouter> make(const ServiceSchema& schema, const std::vector<ServiceRoutes>& services,
                                      RoutingSettings settings = {});

  // method: "GET"; HEAD finds GET's routes. target: raw path and query as on the request line, "/v1/a%2Fb?x=1", decoded
  // here, once. host: as in the header, may have a port. The time taken is linear in the target's length.
  // Fails with 404 (code 5), 405 (code 12, with allow) or 400 (code 3: a bad escape, an unknown query key).
  Expected<RoutedRequest> find(std::string_view method, std::string_view target, std::string_view host = {}) const;

 private:
  ServiceRouter(std::shared_ptr<const Router> held, RoutingSettings settings);

  std::shared_ptr<const Router> held_;
  RoutingSettings settings_;
};

}  // namespace transom
