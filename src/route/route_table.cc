#include "route/route_table.h"

#include <algorithm>
#include <map>

#include "route/match_order.h"

namespace transom {
namespace {

Status refused(std::string message) { return proxy_error(Code::InvalidArgument, std::move(message)); }

std::string rule_text(const RouteSource& source, const MethodPlan& method, const HttpRule& rule) {
  return source.place + ": " + method.full_name + ": " + rule.method + " `" + rule.path + "`";
}

// The gRPC path as a rule: what a method without rules gets.
HttpRule default_rule(const MethodPlan& method) { return {method.full_name, "POST", method.path, "*", ""}; }

bool is_same_match(const RouteMatch& a, const RouteMatch& b) {
  return a.hosts == b.hosts && a.headers == b.headers && a.path_prefix == b.path_prefix;
}

class Builder {
 public:
  Status add_source(const RouteSource& source) {
    auto match = normalize_match(source.match);
    if (!match.ok()) {
      return refused(source.place + ": " + match.status().message);
    }
    if (source.service != "*" && source.schema == nullptr) {
      table_.pending.push_back({std::move(*match), source.service, source.backend});
      return {};
    }
    const size_t group = find_group(*match);
    return source.service == "*" ? add_pass_through(source, group) : add_service(source, group);
  }

  RouteTable finish() {
    std::ranges::stable_sort(
        table_.groups, [](const RouteGroup& a, const RouteGroup& b) { return is_tried_before(a.match, b.match); });
    return std::move(table_);
  }

 private:
  size_t find_group(const RouteMatch& match) {
    auto same = std::ranges::find_if(table_.groups,
                                     [&match](const RouteGroup& group) { return is_same_match(group.match, match); });
    if (same == table_.groups.end()) {
      same = table_.groups.insert(same, RouteGroup{.match = match, .tree = {}, .grpc = {}});
    }
    return static_cast<size_t>(same - table_.groups.begin());
  }

  // The route is not in the table until keep().
  std::unique_ptr<Route> make_route(const RouteSource& source, RouteKind kind, const MethodPlan* method, size_t group) {
    auto route = std::make_unique<Route>();
    route->kind = kind;
    route->backend = source.backend;
    route->match = table_.groups[group].match;
    route->options_index = source.options_index;
    route->schema = source.schema;
    route->plan = method;
    if (method != nullptr) {
      route->rpc = method->path.substr(1);
      route->rpc_path = method->path;
    }
    return route;
  }

  size_t keep(RoutePlan plan, std::unique_ptr<Route> route) {
    plan.route = route.get();
    table_.plans.push_back(std::move(plan));
    table_.routes.push_back(std::move(route));
    return table_.plans.size() - 1;
  }

  Status add_pass_through(const RouteSource& source, size_t group) {
    if (!source.http_rules.empty()) {
      return refused(source.place + ": http_rules need a service by name, not \"*\"");
    }
    if (const size_t other = table_.groups[group].pass_through; other != RouteGroup::kNoRoute) {
      return refused(source.place + ": service \"*\" clashes with " + table_.plans[other].rule);
    }
    auto route = make_route(source, RouteKind::PassThrough, nullptr, group);
    route->method = "POST";
    route->label = "*";
    RoutePlan plan;
    plan.rule = source.place + ": service \"*\"";
    table_.groups[group].pass_through = keep(std::move(plan), std::move(route));
    return {};
  }

  Status check_selectors(const RouteSource& source) {
    if (!source.schema->has_service(source.service)) {
      return refused(source.place + ": the schema of backend " + source.backend + " has no service " + source.service);
    }
    for (const HttpRule& rule : source.http_rules) {
      const MethodPlan* method = source.schema->find_method(rule.selector);
      if (method == nullptr || method->service != source.service) {
        return refused(source.place + ": http_rules: selector \"" + rule.selector + "\" is no method of " +
                       source.service);
      }
    }
    return {};
  }

  Status add_service(const RouteSource& source, size_t group) {
    if (Status status = check_selectors(source); !status.ok()) {
      return status;
    }
    for (const MethodPlan& method : source.schema->methods()) {
      if (method.service == source.service) {
        if (Status status = add_method(source, method, group); !status.ok()) {
          return status;
        }
      }
    }
    return {};
  }

  Status add_method(const RouteSource& source, const MethodPlan& method, size_t group) {
    std::vector<HttpRule> rules;
    std::ranges::copy_if(source.http_rules, std::back_inserter(rules),
                         [&method](const HttpRule& rule) { return rule.selector == method.full_name; });
    if (rules.empty()) {
      rules = method.rules;
    }
    if (rules.empty()) {
      rules.push_back(default_rule(method));
    }
    for (const HttpRule& rule : rules) {
      if (Status status = add_json(source, method, rule, group); !status.ok()) {
        return status;
      }
    }
    return add_grpc(source, method, group);
  }

  Status add_json(const RouteSource& source, const MethodPlan& method, const HttpRule& rule, size_t group) {
    auto route = make_route(source, RouteKind::Json, &method, group);
    const std::string& prefix = table_.groups[group].match.path_prefix;
    route->method = rule.method;
    route->label = prefix.empty() || rule.path != "/" ? prefix + rule.path : prefix;
    RoutePlan plan;
    plan.route = route.get();
    plan.rule = rule_text(source, method, rule);
    if (Status status = apply_rule(rule, plan); !status.ok()) {
      return refused(plan.rule + ": " + status.message);
    }
    plan.top_paths = top_paths_of(*method.input);
    const size_t other = table_.groups[group].tree.add(plan.path, rule.method, table_.plans.size());
    if (other != table_.plans.size()) {
      return refused(plan.rule + " clashes with " + table_.plans[other].rule);
    }
    keep(std::move(plan), std::move(route));
    return {};
  }

  Status add_grpc(const RouteSource& source, const MethodPlan& method, size_t group) {
    RoutePlan plan;
    plan.rule = source.place + ": " + method.full_name;
    auto [other, is_new] = table_.groups[group].grpc.emplace(method.path, table_.plans.size());
    if (!is_new) {
      return refused(plan.rule + " clashes with " + table_.plans[other->second].rule);
    }
    auto route = make_route(source, RouteKind::Grpc, &method, group);
    route->method = "POST";
    route->label = table_.groups[group].match.path_prefix + method.path;
    route->request = {.message = method.input, .body = BodyKind::Whole, .body_field = {}, .path_fields = {}};
    route->frames = route->request;
    route->response = {.message = method.output};
    keep(std::move(plan), std::move(route));
    return {};
  }

  std::shared_ptr<const TopPaths> top_paths_of(const MessagePlan& message) {
    std::shared_ptr<const TopPaths>& paths = top_paths_[&message];
    if (paths == nullptr) {
      paths = make_top_paths(message);
    }
    return paths;
  }

  RouteTable table_;
  std::map<const MessagePlan*, std::shared_ptr<const TopPaths>> top_paths_;
};

}  // namespace

Result<RouteTable> build_route_table(std::span<const RouteSource> sources) {
  Builder builder;
  for (const RouteSource& source : sources) {
    if (Status status = builder.add_source(source); !status.ok()) {
      return status;
    }
  }
  return builder.finish();
}

}  // namespace transom
