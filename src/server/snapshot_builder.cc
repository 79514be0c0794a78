#include "server/snapshot_builder.h"

#include <filesystem>
#include <set>
#include <utility>

#include "schema/field_path.h"
#include "server/config_text.h"
#include "server/options.h"
#include "server/own_services.h"
#include "transcode/field_text.h"

namespace transom {
namespace {

int find_backend(const config::v1::Config& config, const std::string& name) {
  for (int i = 0; i < config.backends_size(); ++i) {
    if (config.backends(i).name() == name) return i;
  }
  check(false, "a route's backend was checked before");
  return -1;
}

std::set<std::string> services_of(const Schema& schema) {
  std::set<std::string> services;
  for (const MethodPlan& method : schema.methods())
    services.insert(method.service);
  return services;
}

}  // namespace

SnapshotBuilder::SnapshotBuilder(const Configuration& configuration)
    : configuration_(configuration),
      config_(configuration.message),
      schemas_(static_cast<size_t>(configuration.message.backends_size())) {}

bool SnapshotBuilder::wants_reflection(int backend) const {
  for (const config::v1::SchemaSource& source : *schema_sources_of(config_, backend).sources) {
    if (source.reflection()) return true;
  }
  return false;
}

std::optional<ReflectedSet> SnapshotBuilder::reflected(int backend) const {
  const auto found = reflected_.find(backend);
  return found == reflected_.end() ? std::nullopt : std::optional(found->second);
}

// Other folders put the place in front of their messages; here the key's path belongs between the two.
void SnapshotBuilder::complain(const Status& status, const std::string& path, ConfigReport& report) const {
  const std::string place = report.format_place(path) + ": ";
  const bool has_place = status.message.starts_with(place);
  report.add(path, has_place ? status.message.substr(place.size()) : status.message);
}

void SnapshotBuilder::add_source(const config::v1::SchemaSource& source, const std::string& path, SchemaLoader& loader,
                                 ConfigReport& report) const {
  Status status;
  if (source.has_descriptor_set()) {
    status = loader.add_descriptor_set_file(source.descriptor_set());
  } else if (source.has_proto()) {
    const std::filesystem::path beside = std::filesystem::path(configuration_.folder) / source.proto();
    std::error_code error;
    const bool is_beside = std::filesystem::exists(beside, error);
    std::vector<std::string> import_paths(source.import_paths().begin(), source.import_paths().end());
    if (import_paths.empty()) import_paths.push_back(configuration_.folder);
    status = loader.add_proto_file(is_beside ? beside.lexically_normal().string() : source.proto(), import_paths);
  }
  if (!status.ok()) complain(status, path, report);
}

SchemaPtr SnapshotBuilder::load_schema(int backend, ConfigReport& report) {
  const SourceList list = schema_sources_of(config_, backend);
  if (list.sources->empty()) return nullptr;
  const bool is_reflected = wants_reflection(backend);
  if (const auto known = loaded_.find(list.path); !is_reflected && known != loaded_.end()) return known->second;
  const size_t errors_before = report.errors();
  SchemaLoader loader;
  for (int i = 0; i < list.sources->size(); ++i) {
    add_source((*list.sources)[i], indexed(list.path, i), loader, report);
  }
  if (const auto reflected = reflected_.find(backend); is_reflected && reflected != reflected_.end()) {
    const Status status = loader.add_descriptor_set(reflected->second.bytes, reflected->second.source);
    if (!status.ok()) complain(status, list.path, report);
  }
  if (report.errors() > errors_before) return nullptr;
  Result<SchemaPtr> schema = loader.load();
  if (!schema.ok()) {
    complain(schema.status(), list.path, report);
    return nullptr;
  }
  if (!is_reflected) loaded_[list.path] = *schema;
  return *schema;
}

// Null while the schema has to wait for reflection, where replicas do not tell of the service, and after an error.
SchemaPtr SnapshotBuilder::schema_for(const config::v1::Route& route, int backend, const std::string& path,
                                      ConfigReport& report) {
  const SchemaPtr& schema = schemas_[static_cast<size_t>(backend)];
  if (schema != nullptr && schema->has_service(route.service())) return schema;
  if (wants_reflection(backend)) {
    missing_.push_back(has_reflected(backend)
                           ? "replicas of backend " + route.backend() + " do not tell of service " + route.service()
                           : "the schema of backend " + route.backend() + " is still to be reflected");
    return nullptr;
  }
  if (schema == nullptr) return nullptr;  // told already
  const auto nearest = nearest_word(route.service(), services_of(*schema));
  report.add(path + ".service", "the schema of backend " + route.backend() + " has no service \"" + route.service() +
                                    "\"" + (nearest ? "; did you mean " + *nearest + "?" : ""));
  return nullptr;
}

std::vector<RouteSource> SnapshotBuilder::route_sources(ConfigReport& report) {
  std::vector<RouteSource> sources;
  for (int i = 0; i < config_.routes_size(); ++i) {
    const config::v1::Route& route = config_.routes(i);
    RouteSource source;
    source.service = route.service();
    source.backend = route.backend();
    source.match = match_of(route.match());
    source.http_rules = http_rules_of(route);
    source.options_index = static_cast<size_t>(i);
    source.place = report.format_place(indexed("routes", i));
    if (route.service() != "*") {
      const int backend = find_backend(config_, route.backend());
      source.schema = schema_for(route, backend, indexed("routes", i), report);
      const bool is_pending = wants_reflection(backend) && !has_reflected(backend);
      if (source.schema == nullptr && !is_pending) continue;
    }
    sources.push_back(std::move(source));
  }
  return sources;
}

// A field that none of the route's streams has is a mistake; that some have it not is as it may be.
void SnapshotBuilder::check_event_id(const RouteSource& source, const std::string& path, ConfigReport& report) const {
  const int index = static_cast<int>(source.options_index);
  if (index >= config_.routes_size()) return;  // one of the proxy's own services
  const std::string& name = config_.routes(index).stream().event_id();
  if (name.empty() || source.schema == nullptr) return;
  std::string why = "no method of " + source.service + " answers with a stream";
  for (const MethodPlan& method : source.schema->methods()) {
    if (method.service != source.service || !method.is_server_streaming) continue;
    const Result<FieldPath> field = resolve_field_path(*method.output, name);
    if (field.ok() && has_field_text(*field)) return;
    why = field.ok() ? "the field is not a single string, integer, bool or enum" : field.status().message;
  }
  report.add(path + ".stream.event_id", why);
}

// When a route is refused, each of its rules is tried alone, so that all that are wrong are told, each at its place.
void SnapshotBuilder::check_route(const RouteSource& source, ConfigReport& report) const {
  const auto whole = build_router({&source, 1});
  const std::string path = indexed("routes", static_cast<int>(source.options_index));
  if (whole.ok()) {
    check_event_id(source, path, report);
    return;
  }
  const size_t errors_before = report.errors();
  const config::v1::Route& route = config_.routes(static_cast<int>(source.options_index));
  for (int i = 0; i < route.http_rules_size(); ++i) {
    const std::string of_rule = indexed(path + ".http_rules", i);
    RouteSource alone = source;
    alone.http_rules = http_rules_of(route.http_rules(i));
    alone.place = report.format_place(of_rule);
    const auto router = build_router({&alone, 1});
    // Without the other rules the annotations that these replace come in; what is wrong there is not this rule's.
    if (router.ok() || router.status().message.find(route.http_rules(i).selector()) == std::string::npos) continue;
    complain(router.status(), of_rule, report);
  }
  if (report.errors() == errors_before) complain(whole.status(), path, report);
}

// Routes are first tried one by one, so that each tells what is wrong with it; then together, where they may clash.
std::shared_ptr<const Router> SnapshotBuilder::make_router(const std::vector<RouteSource>& sources,
                                                           ConfigReport& report) const {
  const size_t errors_before = report.errors();
  for (const RouteSource& source : sources)
    check_route(source, report);
  if (report.errors() > errors_before) return nullptr;
  auto router = build_router(sources);
  if (!router.ok()) {
    report.add_placed(report.place_of("routes"), router.status().message);
    return nullptr;
  }
  return *router;
}

// The proxy's own services stand behind those of the configuration, in the last of the backends.
void SnapshotBuilder::add_own_services(std::vector<RouteSource>& sources, Snapshot& snapshot) const {
  std::vector<ServedService> served;
  for (const RouteSource& source : sources) {
    if (source.service == "*") continue;
    served.push_back({source.service, {snapshot.route_settings[source.options_index].backend}, source.schema});
  }
  for (RouteSource& own : own_service_routes(config_, snapshot.route_settings.size())) {
    served.push_back({own.service, {}, own.schema});
    sources.push_back(std::move(own));
  }
  snapshot.served = std::make_shared<const ServedServices>(served);
  RouteSettings settings;
  settings.json = json_options_of(config_.json(), {});
  settings.errors = snapshot.errors;
  settings.backend = snapshot.backends.size();
  snapshot.route_settings.push_back(settings);
  snapshot.binding_options.push_back(binding_options_of(config_.json(), {}));
  BackendSettings itself;
  itself.timeout = itself.stream_timeout = itself.stream_idle_timeout = std::chrono::nanoseconds(0);
  snapshot.backends.push_back(itself);
}

SnapshotPtr SnapshotBuilder::build(ConfigReport& report) {
  missing_.clear();
  const size_t errors_before = report.errors();
  auto snapshot = std::make_shared<Snapshot>();
  for (int i = 0; i < config_.backends_size(); ++i) {
    schemas_[static_cast<size_t>(i)] = load_schema(i, report);
    snapshot->backends.push_back(backend_settings_of(config_.backends(i)));
    if (schema(i) != nullptr) snapshot->digest += schema(i)->digest();
  }
  for (const config::v1::Route& route : config_.routes()) {
    RouteSettings settings;
    settings.json = json_options_of(config_.json(), route.json());
    settings.json_int_enums = settings.json;
    settings.json_int_enums.always_print_enums_as_ints = true;
    settings.errors = error_form_of(config_.json(), route.json());
    settings.stream = stream_options_of(config_.stream(), route.stream());
    settings.backend = static_cast<size_t>(find_backend(config_, route.backend()));
    snapshot->route_settings.push_back(settings);
    snapshot->binding_options.push_back(binding_options_of(config_.json(), route.json()));
  }
  snapshot->errors = error_form_of(config_.json(), {});
  snapshot->limits = limits_of(config_.limits());
  std::vector<RouteSource> sources = route_sources(report);
  add_own_services(sources, *snapshot);
  snapshot->router = make_router(sources, report);
  return report.errors() > errors_before ? nullptr : snapshot;
}

}  // namespace transom
