#include "route/router.h"

#include <algorithm>
#include <array>
#include <memory_resource>

#include "base/utf8.h"
#include "route/match_order.h"
#include "route/percent.h"
#include "route/query_reader.h"
#include "route/route_table.h"

namespace transom {
namespace {

constexpr size_t kUsualSegments = 12;
constexpr std::array<std::string_view, 7> kMethodOrder = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"};

// Of a WebSocket, whose client cannot choose a method.
constexpr std::string_view kAnyMethod;

int rank_of(std::string_view method) { return method == "GET" ? 0 : method == "POST" ? 1 : 2; }

// Memory for one look-up, on the stack unless a path has many segments.
class Scratch {
 public:
  std::pmr::memory_resource* memory() { return &memory_; }

 private:
  std::array<std::byte, 2048> buffer_;
  std::pmr::monotonic_buffer_resource memory_{buffer_.data(), buffer_.size()};
};

// "/v1/x:act" without its verb, and the verb; the path may be looked up both ways.
struct SplitPath {
  std::string_view path;
  std::string_view verb;
};

SplitPath split_verb(std::string_view path) {
  const size_t colon = path.rfind(':');
  if (colon == std::string_view::npos || path.find('/', colon) != std::string_view::npos) {
    return {path, ""};
  }
  return {path.substr(0, colon), path.substr(colon + 1)};
}

// A request's path as the groups' trees look at it.
struct Target {
  std::string_view path;  // without prefix, query and the one slash at the end
  bool had_slash = false;
};

Target make_target(std::string_view path) {
  const bool has_slash = path.size() > 2 && path.ends_with('/');
  return {has_slash ? path.substr(0, path.size() - 1) : path, has_slash};
}

bool visit_split(const TemplateTree& tree, const SplitPath& split, const auto& visit) {
  Scratch scratch;
  PathSegments segments(scratch.memory());
  segments.reserve(kUsualSegments);
  split_path(split.path, segments);
  TemplateTree::Search search(tree, segments);
  while (const TemplateTree::Leaves* leaves = search.next()) {
    if (visit(*leaves, split.verb, segments)) {
      return true;
    }
  }
  return false;
}

// Calls visit(leaves, verb, segments) for all that the path fits, best first, until it says true.
bool visit_leaves(const TemplateTree& tree, std::string_view path, const auto& visit) {
  const SplitPath split = split_verb(path);
  if (!split.verb.empty() && tree.has_verb(split.verb) && visit_split(tree, split, visit)) {
    return true;
  }
  return visit_split(tree, {path, ""}, visit);
}

// Where in the request's path a variable's value stands: what is behind "**" is counted from the end.
std::string_view value_of(const TemplateVariable& variable, const PathTemplate& path, const PathSegments& segments) {
  const auto place = [&](size_t at) { return at <= path.many_at ? at : segments.size() - (path.segments.size() - at); };
  const size_t begin = place(variable.begin);
  const size_t end = place(variable.end);
  if (begin >= end) {
    return "";
  }
  const char* first = segments[begin].raw.data();
  const std::string_view last = segments[end - 1].raw;
  return {first, static_cast<size_t>(last.data() + last.size() - first)};
}

Status bind_path(const RoutePlan& plan, const PathSegments& segments, Escapes kept, std::vector<Binding>& bindings) {
  bindings.reserve(plan.path.variables.size());
  for (size_t i = 0; i < plan.path.variables.size(); ++i) {
    const TemplateVariable& variable = plan.path.variables[i];
    const std::string_view raw = value_of(variable, plan.path, segments);
    Binding& binding = bindings.emplace_back();
    binding.path = &plan.route->request.path_fields[i];
    binding.name = variable.field;
    binding.text = variable.is_multi ? decode_percent_except(raw, kept) : decode_percent(raw);
    if (!is_valid_utf8(binding.text)) {
      return client_error(Code::InvalidArgument, "path: the value of `" + variable.field + "` is not UTF-8");
    }
  }
  return {};
}

const BindingOptions& options_of_route(const Route& route, std::span<const BindingOptions> options_of) {
  static constexpr BindingOptions kDefaults;
  return route.options_index < options_of.size() ? options_of[route.options_index] : kDefaults;
}

bool does_fit(const Route& route, bool had_slash, std::span<const BindingOptions> options_of) {
  return !had_slash || options_of_route(route, options_of).strictness.of(Slip::TrailingSlash) != Verdict::Reject;
}

// The methods that some path answers, as they are collected.
class Allowed {
 public:
  void add(std::string_view method) {
    if (method == "*") {
      for (std::string_view each : kMethodOrder) {
        add(each);
      }
      return;
    }
    if (std::ranges::find(methods_, method) == methods_.end()) {
      methods_.emplace_back(method);
    }
    if (method == "GET") {
      add("HEAD");
    }
  }

  bool empty() const { return methods_.empty(); }

  // The usual methods in their usual order, then others, OPTIONS last.
  std::string text() {
    add("OPTIONS");
    std::ranges::sort(methods_, {}, [](const std::string& method) { return std::pair(place_of(method), method); });
    std::string text;
    for (const std::string& method : methods_) {
      text += (text.empty() ? "" : ", ") + method;
    }
    return text;
  }

 private:
  static ptrdiff_t place_of(std::string_view method) {
    const ptrdiff_t place = std::ranges::find(kMethodOrder, method) - kMethodOrder.begin();
    const ptrdiff_t others = std::ssize(kMethodOrder) - 1;
    return method == "OPTIONS" ? others + 1 : place == std::ssize(kMethodOrder) ? others : place;
  }

  std::vector<std::string> methods_;
};

bool does_match(const RouteMatch& match, const RouteRequest& request) {
  return does_host_match(match, request.host) && (request.is_preflight || do_headers_match(match, request.fields));
}

NotFound refuse(Status status) { return {std::move(status), {}, {}, nullptr, false}; }

// "package.Service" of "/package.Service/Method"
std::string_view service_of(std::string_view path) { return path.substr(1, path.find('/', 1) - 1); }

// "/package.Service/Method"
bool names_method(std::string_view path) {
  return std::ranges::count(path, '/') == 2 && !path.starts_with("//") && !path.ends_with('/');
}

class TableRouter : public Router {
 public:
  explicit TableRouter(RouteTable table) : table_(std::move(table)) {}

  std::variant<Found, NotFound> find(const RouteRequest& request,
                                     std::span<const BindingOptions> options_of) const override;
  std::string allow(const RouteRequest& request) const override;
  std::span<const std::unique_ptr<Route>> routes() const override { return table_.routes; }

 private:
  using Answer = std::variant<Found, NotFound>;

  // Calls visit(group, path without prefix) for each group whose match holds, in order, until it says true.
  bool visit_groups(const RouteRequest& request, std::string_view path, const auto& visit) const;
  bool find_json(const RouteRequest& request, std::string_view method, std::string_view path, std::string_view query,
                 std::span<const BindingOptions> options_of, Answer& answer) const;
  Answer bind(const RoutePlan& plan, const PathSegments& segments, bool had_slash, std::string_view query,
              const BindingOptions& options) const;
  Answer find_grpc(const RouteRequest& request, std::string_view path) const;
  NotFound explain(const RouteRequest& request, std::string_view path,
                   std::span<const BindingOptions> options_of) const;
  void collect(const RouteRequest& request, std::string_view path, std::span<const BindingOptions> options_of,
               Allowed& allowed, std::string& label) const;
  bool is_for_grpc(const RouteRequest& request, std::string_view path) const;
  const PendingRoutes* find_pending(const RouteRequest& request, std::string_view path) const;
  const RoutePlan* pick(const TemplateTree::Leaves& leaves, std::string_view verb, std::string_view method,
                        bool had_slash, std::span<const BindingOptions> options_of) const;
  Answer find_web_socket(const RouteRequest& request, std::string_view path, std::string_view query,
                         std::span<const BindingOptions> options_of) const;

  RouteTable table_;
};

bool TableRouter::visit_groups(const RouteRequest& request, std::string_view path, const auto& visit) const {
  for (const RouteGroup& group : table_.groups) {
    const auto rest = strip_prefix(path, group.match.path_prefix);
    if (rest.has_value() && does_match(group.match, request) && visit(group, *rest)) {
      return true;
    }
  }
  return false;
}

const RoutePlan* TableRouter::pick(const TemplateTree::Leaves& leaves, std::string_view verb, std::string_view method,
                                   bool had_slash, std::span<const BindingOptions> options_of) const {
  const RoutePlan* any = nullptr;
  for (const TemplateTree::Leaf& leaf : leaves) {
    const RoutePlan& plan = table_.plans[leaf.rule];
    if (leaf.verb != verb || !does_fit(*plan.route, had_slash, options_of)) {
      continue;
    }
    if (leaf.method == method) {
      return &plan;
    }
    if (method == kAnyMethod ? any == nullptr || rank_of(leaf.method) < rank_of(any->route->method) : leaf.method == "*") {
      any = &plan;
    }
  }
  return any;
}

bool TableRouter::find_json(const RouteRequest& request, std::string_view method, std::string_view path,
                            std::string_view query, std::span<const BindingOptions> options_of, Answer& answer) const {
  return visit_groups(request, path, [&](const RouteGroup& group, std::string_view rest) {
    const Target target = make_target(rest);
    return visit_leaves(group.tree, target.path,
                        [&](const auto& leaves, std::string_view verb, const PathSegments& segments) {
                          const RoutePlan* plan = pick(leaves, verb, method, target.had_slash, options_of);
                          if (plan != nullptr) {
                            answer = bind(*plan, segments, target.had_slash, query,
                                          options_of_route(*plan->route, options_of));
                          }
                          return plan != nullptr;
                        });
  });
}

std::variant<Found, NotFound> TableRouter::bind(const RoutePlan& plan, const PathSegments& segments, bool had_slash,
                                                std::string_view query, const BindingOptions& options) const {
  Found found;
  found.route = plan.route;
  found.rpc_path = plan.route->rpc_path;
  if (had_slash) {
    options.strictness.tolerates(Slip::TrailingSlash, found.slips);
  }
  Status status = bind_path(plan, segments, options.kept_escapes, found.bindings);
  if (status.ok() && !query.empty()) {
    status = read_query(query, plan, options, found);
  }
  if (!status.ok()) {
    NotFound refusal = refuse(std::move(status));
    refusal.route = plan.route;
    return refusal;
  }
  return found;
}

std::variant<Found, NotFound> TableRouter::find_grpc(const RouteRequest& request, std::string_view path) const {
  Found found;
  visit_groups(request, path, [&](const RouteGroup& group, std::string_view rest) {
    const auto known = group.grpc.find(rest);
    const size_t index = known != group.grpc.end() ? known->second : group.pass_through;
    if (index != RouteGroup::kNoRoute) {
      found.route = table_.routes[index].get();
      found.rpc_path = found.route->kind == RouteKind::PassThrough ? rest : found.route->rpc_path;
    }
    return found.route != nullptr;
  });
  if (found.route == nullptr) {
    const PendingRoutes* pending = find_pending(request, path);
    return refuse(pending != nullptr ? pending->refusal() : client_error(Code::Unimplemented, "no such gRPC method", 404));
  }
  if (request.method != "POST" && !request.is_web_socket) {
    return NotFound{client_error(Code::Unimplemented, "a gRPC call is a POST", 405), "POST", found.route->label,
                    nullptr, false};
  }
  return found;
}

void TableRouter::collect(const RouteRequest& request, std::string_view path,
                          std::span<const BindingOptions> options_of, Allowed& allowed, std::string& label) const {
  visit_groups(request, path, [&](const RouteGroup& group, std::string_view rest) {
    const Target target = make_target(rest);
    visit_leaves(group.tree, target.path, [&](const auto& leaves, std::string_view verb, const PathSegments&) {
      for (const TemplateTree::Leaf& leaf : leaves) {
        const Route& route = *table_.routes[leaf.rule];
        if (leaf.verb == verb && does_fit(route, target.had_slash, options_of)) {
          label = label.empty() ? route.label : label;
          allowed.add(leaf.method);
        }
      }
      return false;
    });
    return false;
  });
}

// A call of a gRPC client who says another content type (415 in the gRPC HTTP/2 protocol). One of JSON is rather meant
// for a route that is not there.
bool TableRouter::is_for_grpc(const RouteRequest& request, std::string_view path) const {
  const std::string_view type = request.fields.find("content-type").value_or("");
  if (request.method != "POST" || type.empty() || type.find("json") != std::string_view::npos) {
    return false;
  }
  return visit_groups(request, path, [&](const RouteGroup& group, std::string_view rest) {
    return group.pass_through != RouteGroup::kNoRoute && names_method(rest);
  });
}

// Any JSON path may turn out to be one of theirs, but a gRPC path names its service.
const PendingRoutes* TableRouter::find_pending(const RouteRequest& request, std::string_view path) const {
  for (const PendingRoutes& pending : table_.pending) {
    const auto rest = strip_prefix(path, pending.match.path_prefix);
    if (rest.has_value() && does_match(pending.match, request) &&
        (!request.is_grpc || service_of(*rest) == pending.service)) {
      return &pending;
    }
  }
  return nullptr;
}

NotFound TableRouter::explain(const RouteRequest& request, std::string_view path,
                              std::span<const BindingOptions> options_of) const {
  Allowed allowed;
  NotFound refusal;
  collect(request, path, options_of, allowed, refusal.route_label);
  if (allowed.empty()) {
    const PendingRoutes* pending = find_pending(request, path);
    if (pending != nullptr) {
      refusal.status = pending->refusal();
    } else if (is_for_grpc(request, path)) {
      refusal.status = client_error(Code::InvalidArgument, "no route for this path, but of application/grpc", 415);
      refusal.is_for_grpc = true;
    } else {
      refusal.status = client_error(Code::NotFound, "no route for this path");
    }
    return refusal;
  }
  refusal.status = client_error(Code::Unimplemented, "this path does not answer this method", 405);
  refusal.allow = allowed.text();
  return refusal;
}

std::variant<Found, NotFound> TableRouter::find_web_socket(const RouteRequest& request, std::string_view path,
                                                           std::string_view query,
                                                           std::span<const BindingOptions> options_of) const {
  Answer answer;
  if (find_json(request, kAnyMethod, path, query, options_of, answer)) {
    return answer;
  }
  answer = find_grpc(request, path);
  const Found* found = std::get_if<Found>(&answer);
  const bool is_good = found != nullptr && (found->route->kind != RouteKind::PassThrough || names_method(found->rpc_path));
  return is_good ? std::move(answer) : explain(request, path, options_of);
}

std::variant<Found, NotFound> TableRouter::find(const RouteRequest& request,
                                                std::span<const BindingOptions> options_of) const {
  const size_t mark = request.path.find('?');
  const std::string_view path = request.path.substr(0, mark);
  const std::string_view query = mark == std::string_view::npos ? "" : request.path.substr(mark + 1);
  if (!has_valid_escapes(path)) {
    return refuse(client_error(Code::InvalidArgument, "path: a % is not followed by two hexadecimal digits"));
  }
  if (!path.starts_with('/')) {
    return refuse(client_error(Code::NotFound, "no route for this path"));
  }
  if (request.is_preflight) {
    return explain(request, path, options_of);
  }
  if (request.is_grpc) {
    return find_grpc(request, path);
  }
  if (request.is_web_socket) {
    return find_web_socket(request, path, query, options_of);
  }
  Answer answer;
  if (find_json(request, request.method, path, query, options_of, answer) ||
      (request.method == "HEAD" && find_json(request, "GET", path, query, options_of, answer))) {
    return answer;
  }
  return explain(request, path, options_of);
}

std::string TableRouter::allow(const RouteRequest& request) const {
  const std::string_view path = request.path.substr(0, request.path.find('?'));
  if (!path.starts_with('/') || !has_valid_escapes(path)) {
    return "";
  }
  Allowed allowed;
  std::string label;
  collect(request, path, {}, allowed, label);
  return allowed.empty() ? "" : allowed.text();
}

}  // namespace

Result<std::shared_ptr<const Router>> build_router(std::span<const RouteSource> sources) {
  auto table = build_route_table(sources);
  if (!table.ok()) {
    return table.status();
  }
  return std::shared_ptr<const Router>(std::make_shared<TableRouter>(std::move(*table)));
}

}  // namespace transom
