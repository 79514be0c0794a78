#include "server/summary.h"

#include <algorithm>
#include <vector>

#include "server/machine.h"

namespace transom {
namespace {

// "3 routes", "1 route"
std::string counted(size_t count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

std::string replicas_of(const config::v1::Backend& backend) {
  std::string text;
  for (const config::v1::Replica& replica : backend.replicas()) {
    text += (text.empty() ? "" : ", ") + replica.address();
  }
  return text;
}

std::string schema_of(Blueprint& blueprint, int backend) {
  const SnapshotBuilder& builder = blueprint.builder();
  if (builder.wants_reflection(backend) && !builder.has_reflected(backend)) {
    return "schema by reflection, unchecked: there is no copy of it yet";
  }
  if (builder.schema(backend) == nullptr) return "no schema";
  const std::string methods = counted(builder.schema(backend)->methods().size(), "method");
  if (!builder.wants_reflection(backend)) return "schema with " + methods;
  return "schema with " + methods + ", reflected, from " + builder.reflected(backend)->source;
}

std::string own_services_of(const ServedServices& served) {
  std::string names;
  for (const ServedService& service : served.services()) {
    if (service.backends.empty()) names += (names.empty() ? "" : ", ") + service.name;
  }
  return names.empty() ? "nothing" : names;
}

// " where host is a.test or *.b.test and x-who is me"; its prefix is in the path.
std::string text_of(const RouteMatch& match) {
  std::string text;
  for (const std::string& host : match.hosts) {
    text += (text.empty() ? "host is " : " or ") + host;
  }
  for (const auto& [name, value] : match.headers) {
    text += (text.empty() ? "" : " and ") + name + " is " + value;
  }
  return text.empty() ? "" : " where " + text;
}

}  // namespace

std::string summary_of(Blueprint& blueprint) {
  const config::v1::Config& config = blueprint.config();
  std::string text;
  for (const config::v1::Listener& listener : config.listeners()) {
    text += "listener " + listener.address() + (listener.has_tls() ? " (TLS)" : "") + "\n";
  }
  text += config.has_admin() ? "admin " + config.admin().address() + "\n" : "no admin interface\n";
  text += counted(worker_count(config.workers()), "worker") + ", memory budget " +
          std::to_string(memory_budget_bytes(config.limits().memory()) >> 20) + " MiB\n";
  for (int i = 0; i < config.backends_size(); ++i) {
    const config::v1::Backend& backend = config.backends(i);
    text += "backend " + backend.name() + ": " + counted(static_cast<size_t>(backend.replicas_size()), "replica") +
            " (" + replicas_of(backend) + "), " + schema_of(blueprint, i) + "\n";
  }
  text += "answers itself: " + own_services_of(*blueprint.snapshot()->served) + "\n";
  const std::string lines = route_lines(*blueprint.snapshot()->router);
  text += counted(static_cast<size_t>(std::count(lines.begin(), lines.end(), '\n')), "route") + "\n";
  return text;
}

std::string route_line(const Route& route) {
  const bool passes = route.kind == RouteKind::PassThrough;
  const std::string& prefix = route.match.path_prefix;
  const std::string path = passes ? prefix + (prefix.empty() ? "*" : "/*") : route.label;
  const std::string method = route.kind == RouteKind::Json ? route.method : "POST";
  return method + " " + path + " -> " + (passes ? "any gRPC method" : route.rpc) + " " +
         (route.backend.empty() ? "(the proxy itself)" : route.backend) +
         text_of(route.match);
}

std::string route_lines(const Router& router) {
  std::string text;
  for (const auto& route : router.routes()) {
    // Every method's own path is always there for gRPC clients; the proxy's own services are no routes of anybody's.
    if (route->kind == RouteKind::Grpc || route->backend.empty()) continue;
    text += route_line(*route) + "\n";
  }
  return text;
}

}  // namespace transom
