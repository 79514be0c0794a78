#include "server/own_services.h"

#include <string_view>

#include "local/local_backend.h"
#include "server/options.h"

namespace transom {
namespace {

// Both would be tried at the same turn; and the one route of a service cannot stand there twice.
bool has_plain_route(const config::v1::Config& config, std::string_view service) {
  for (const config::v1::Route& route : config.routes()) {
    const config::v1::Match& match = route.match();
    const bool is_plain = match.hosts().empty() && match.headers().empty() && match.path_prefix().empty();
    if (is_plain && route.service() == service) return true;
  }
  return false;
}

void add_route(const config::v1::Config& config, std::string_view service, bool is_asked_for,
               std::vector<RouteSource>& routes, size_t options_index) {
  if (has_plain_route(config, service) || (!is_asked_for && has_plain_route(config, "*"))) return;
  RouteSource& route = routes.emplace_back();
  route.service = service;
  route.schema = local_schema();
  route.options_index = options_index;
  route.place = "grpc_services";
}

}  // namespace

std::vector<RouteSource> own_service_routes(const config::v1::Config& config, size_t options_index) {
  const config::v1::GrpcServices& keys = config.grpc_services();
  std::vector<RouteSource> routes;
  if (!keys.has_health() || keys.health()) {
    add_route(config, kHealthService, keys.health(), routes, options_index);
  }
  if (!keys.has_reflection() || keys.reflection()) {
    for (const std::string_view service : kReflectionServices) {
      add_route(config, service, keys.reflection(), routes, options_index);
    }
  }
  return routes;
}

}  // namespace transom
