#include "transom/router.h"

#include <array>
#include <utility>

#include "embed/failure.h"
#include "embed/routed_request.h"
#include "route/router.h"

namespace transom {
namespace {

RouteSource source_of(const ServiceRoutes& service, const SchemaPtr& schema) {
  RouteSource source;
  source.service = service.service;
  source.match.hosts = service.hosts;
  source.match.path_prefix = service.path_prefix;
  for (const RouteRule& rule : service.rules) {
    source.http_rules.push_back({rule.selector, rule.method, rule.path, rule.body, rule.response_body});
  }
  source.schema = schema;
  source.place = service.service;
  return source;
}

BindingOptions options_of(const RoutingSettings& settings) {
  const auto verdict = [](bool is_rejected) { return is_rejected ? Verdict::Reject : Verdict::Ignore; };
  BindingOptions options;
  options.strictness.set(Slip::UnknownQueryKey, verdict(!settings.ignore_unknown_query_parameters))
      .set(Slip::BoundField, verdict(settings.strict))
      .set(Slip::TrailingSlash, verdict(!settings.tolerate_trailing_slash));
  return options;
}

Failure failure_of_search(const NotFound& missing) {
  Failure failure = failure_of(missing.status);
  failure.allow = missing.allow;
  return failure;
}

}  // namespace

RoutedRequest::RoutedRequest(std::unique_ptr<Held> held) : held_(std::move(held)) {}
RoutedRequest::RoutedRequest(RoutedRequest&&) noexcept = default;
RoutedRequest& RoutedRequest::operator=(RoutedRequest&&) noexcept = default;
RoutedRequest::~RoutedRequest() = default;

const std::string& RoutedRequest::rpc_path() const { return held_->found.route->rpc_path; }
const std::string& RoutedRequest::route() const { return held_->found.route->label; }
bool RoutedRequest::takes_body() const { return held_->found.route->request.body != BodyKind::None; }
bool RoutedRequest::is_client_streaming() const { return held_->found.route->plan->is_client_streaming; }
bool RoutedRequest::is_server_streaming() const { return held_->found.route->plan->is_server_streaming; }

ServiceRouter::ServiceRouter(std::shared_ptr<const Router> held, RoutingSettings settings)
    : held_(std::move(held)), settings_(settings) {}

Expected<ServiceRouter> ServiceRouter::make(const ServiceSchema& schema, const std::vector<ServiceRoutes>& services,
                                            RoutingSettings settings) {
  std::vector<RouteSource> sources;
  for (const ServiceRoutes& service : services) {
    if (!schema.has_service(service.service)) {
      return failure_of(proxy_error(Code::InvalidArgument, "the schema has no service \"" + service.service + "\""));
    }
    sources.push_back(source_of(service, schema.held_));
  }
  Result<std::shared_ptr<const Router>> router = build_router(sources);
  if (!router.ok()) {
    return failure_of(router.status());
  }
  return ServiceRouter(std::move(*router), settings);
}

Expected<RoutedRequest> ServiceRouter::find(std::string_view method, std::string_view target,
                                            std::string_view host) const {
  const Fields none;
  const std::array<BindingOptions, 1> options{options_of(settings_)};
  auto answer = held_->find({method, target, host, none, false}, options);
  if (const NotFound* missing = std::get_if<NotFound>(&answer)) {
    return failure_of_search(*missing);
  }
  auto held = std::make_unique<RoutedRequest::Held>();
  held->router = held_;
  held->found = std::move(std::get<Found>(answer));
  return RoutedRequest(std::move(held));
}

}  // namespace transom
