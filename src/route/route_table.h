// RouteTable is the Router's memory: the routes, in groups of one `match` each, in the order in which the groups are
// tried. It is made at load from the configured sources, refusing what clashes, and constant from then on.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/status.h"
#include "route/route_plan.h"
#include "route/router.h"
#include "route/template_tree.h"

namespace transom {

struct PathHash {
  using is_transparent = void;
  size_t operator()(std::string_view path) const { return std::hash<std::string_view>()(path); }
};

// The routes of one `match`; numbers are indices of RouteTable::plans.
struct RouteGroup {
  static constexpr size_t kNoRoute = static_cast<size_t>(-1);

  RouteMatch match;
  TemplateTree tree;
  std::unordered_map<std::string, size_t, PathHash, std::equal_to<>> grpc;  // by "/package.Service/Method"
  size_t pass_through = kNoRoute;
};

// A configured route whose schema is not known yet: which requests may turn out to be for it.
struct PendingRoutes {
  RouteMatch match;
  std::string service;
  std::string backend;

  Status refusal() const {
    return proxy_error(Code::Unavailable, "the schema of backend " + backend + " is not known yet; its replicas are asked");
  }
};

struct RouteTable {
  std::vector<RouteGroup> groups;
  std::vector<PendingRoutes> pending;  // in the order of the configuration
  std::vector<RoutePlan> plans;  // of routes, by the same index
  std::vector<std::unique_ptr<Route>> routes;
};

Result<RouteTable> build_route_table(std::span<const RouteSource> sources);

}  // namespace transom
