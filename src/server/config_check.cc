#include "server/config_check.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "log/access_log.h"
#include "net/address.h"
#include "proxy/cors.h"
#include "server/config.h"
#include "server/config_text.h"

namespace transom {
namespace {

using config::v1::Config;
using google::api::HttpRule;

// Complains when the same value stands at two places.
class Unique {
 public:
  Unique(std::string what, ConfigReport& report) : what_(std::move(what)), report_(report) {}

  void add(const std::string& value, const std::string& path) {
    if (value.empty()) return;
    const auto [first, is_new] = seen_.emplace(value, path);
    if (!is_new) report_.add(path, what_ + " \"" + value + "\" is taken by " + first->second);
  }

 private:
  std::string what_;
  ConfigReport& report_;
  std::map<std::string, std::string> seen_;
};

bool has_any_port(const std::string& address) {
  const Result<Address> parsed = parse_address(address);
  return parsed.ok() && parsed->kind == Address::Kind::Tcp && parsed->port == 0;
}

using Words = google::protobuf::RepeatedPtrField<std::string>;

void check_words(const Words& words, const std::string& list, Status (*check)(std::string_view), ConfigReport& report) {
  for (int i = 0; i < words.size(); ++i) {
    if (const Status status = check(words[i]); !status.ok()) report.add(indexed(list, i), status.message);
  }
}

bool has_star(const Words& words) { return std::ranges::find(words, "*") != words.end(); }

void check_cors(const config::v1::Cors& cors, const std::string& path, ConfigReport& report) {
  check_words(cors.allow_origins(), path + ".allow_origins", &check_cors_origin, report);
  check_words(cors.allow_methods(), path + ".allow_methods", &check_cors_method, report);
  check_words(cors.allow_headers(), path + ".allow_headers", &check_cors_header, report);
  check_words(cors.expose_headers(), path + ".expose_headers", &check_cors_header, report);
  if (cors.allow_credentials() && has_star(cors.allow_origins())) {
    report.add(path + ".allow_credentials", "cannot be true where allow_origins has \"*\": any page could then act as the "
                                            "user who looks at it; name the origins");
  }
  if (cors.allow_credentials() && has_star(cors.expose_headers())) {
    report.add(path + ".expose_headers", "\"*\" is no wildcard for requests with credentials; name the headers");
  }
  if (cors.allow_origins_size() == 0 && cors.ByteSizeLong() > 0) {
    report.add(path + ".allow_origins", "is empty, and without an origin the other keys mean nothing");
  }
}

void check_listeners(const Config& config, ConfigReport& report) {
  Unique addresses("the address", report);
  for (int i = 0; i < config.listeners_size(); ++i) {
    const std::string& address = config.listeners(i).address();
    if (!has_any_port(address)) addresses.add(address, indexed("listeners", i) + ".address");
    check_cors(config.listeners(i).cors(), indexed("listeners", i) + ".cors", report);
  }
  if (config.has_admin() && !has_any_port(config.admin().address())) {
    addresses.add(config.admin().address(), "admin.address");
  }
}

void check_sources(const google::protobuf::RepeatedPtrField<config::v1::SchemaSource>& sources, const std::string& list,
                   ConfigReport& report) {
  for (int i = 0; i < sources.size(); ++i) {
    const config::v1::SchemaSource& source = sources[i];
    const std::string path = indexed(list, i);
    if (source.source_case() == config::v1::SchemaSource::SOURCE_NOT_SET) {
      report.add(path, "needs one of descriptor_set, proto and reflection");
    }
    if (source.has_reflection() && !source.reflection()) {
      report.add(path + ".reflection", "expected true; leave the source out to have no reflection");
    }
    if (source.import_paths_size() > 0 && !source.has_proto()) {
      report.add(path + ".import_paths", "is for a source with proto alone");
    }
  }
}

void check_backends(const Config& config, ConfigReport& report) {
  check_sources(config.schema(), "schema", report);
  Unique names("the name", report);
  for (int i = 0; i < config.backends_size(); ++i) {
    const config::v1::Backend& backend = config.backends(i);
    const std::string path = indexed("backends", i);
    names.add(backend.name(), path + ".name");
    check_sources(backend.schema(), path + ".schema", report);
    Unique replicas("the replica", report);
    for (int n = 0; n < backend.replicas_size(); ++n) {
      const std::string& address = backend.replicas(n).address();
      const std::string of_replica = indexed(path + ".replicas", n);
      replicas.add(address, of_replica);
      if (has_any_port(address)) report.add(of_replica, "a replica needs a port, found \"" + address + "\"");
    }
  }
}

void check_rule(const HttpRule& rule, const std::string& path, const std::string& service, ConfigReport& report) {
  if (rule.selector().empty()) {
    report.add(path + ".selector", "is missing; expected a method, like " + service + ".Method");
  } else if (!rule.selector().starts_with(service + ".")) {
    report.add(path + ".selector", "\"" + rule.selector() + "\" is no method of the route's service " + service);
  }
  if (rule.pattern_case() == HttpRule::PATTERN_NOT_SET) {
    report.add(path, rule.selector() + " has no pattern; expected one of get, put, post, delete, patch and custom");
  }
  for (int i = 0; i < rule.additional_bindings_size(); ++i) {
    const HttpRule& more = rule.additional_bindings(i);
    const std::string of_more = indexed(path + ".additional_bindings", i);
    if (!more.selector().empty()) report.add(of_more + ".selector", "belongs to the outer rule alone");
    if (more.additional_bindings_size() > 0) report.add(of_more + ".additional_bindings", "cannot be nested");
    if (more.pattern_case() == HttpRule::PATTERN_NOT_SET) {
      report.add(of_more, rule.selector() + " has an additional binding without a pattern");
    }
  }
}

void check_match(const config::v1::Match& match, const std::string& path, ConfigReport& report) {
  const std::string& prefix = match.path_prefix();
  if (!prefix.empty() && (prefix.front() != '/' || prefix.back() == '/')) {
    report.add(path + ".path_prefix", "expected / and a path without a / at its end, found \"" + prefix + "\"");
  }
  for (int i = 0; i < match.hosts_size(); ++i) {
    const std::string host = match.hosts(i).starts_with("*.") ? match.hosts(i).substr(2) : match.hosts(i);
    if (host.empty() || host.find_first_of("*/: ") != std::string::npos) {
      report.add(indexed(path + ".hosts", i),
                 "expected a host or *.suffix, without a port, found \"" + match.hosts(i) + "\"");
    }
  }
}

// The older keys say the same as one of strictness; both at one place could only disagree.
void check_stream(const config::v1::Stream& stream, const std::string& path, ConfigReport& report) {
  // A line break would end the event's data.
  if (stream.last_event().find_first_of("\r\n") != std::string::npos) {
    report.add(path + ".last_event", "must be one line");
  }
}

void check_json(const config::v1::Json& json, const std::string& path, ConfigReport& report) {
  using config::v1::VERDICT_UNSPECIFIED;
  const config::v1::Strictness& strictness = json.strictness();
  const struct {
    bool is_twice;
    const char* flag;
    const char* key;
  } rows[] = {
      {json.has_ignore_unknown_fields() && strictness.unknown_field() != VERDICT_UNSPECIFIED, "ignore_unknown_fields",
       "unknown_field"},
      {json.has_ignore_unknown_query_parameters() && strictness.unknown_query_key() != VERDICT_UNSPECIFIED,
       "ignore_unknown_query_parameters", "unknown_query_key"},
      {json.has_last_duplicate_key_wins() && strictness.duplicate_key() != VERDICT_UNSPECIFIED,
       "last_duplicate_key_wins", "duplicate_key"},
      {json.has_strict_bindings() && strictness.bound_field() != VERDICT_UNSPECIFIED, "strict_bindings", "bound_field"},
  };
  for (const auto& row : rows) {
    if (row.is_twice) {
      report.add(path + ".strictness." + row.key, std::string("is said already by ") + path + "." + row.flag);
    }
  }
}

void check_routes(const Config& config, ConfigReport& report) {
  std::map<std::string, int> backends;
  std::vector<std::string> names;
  for (int i = 0; i < config.backends_size(); ++i) {
    backends.emplace(config.backends(i).name(), i);
    names.push_back(config.backends(i).name());
  }
  for (int i = 0; i < config.routes_size(); ++i) {
    const config::v1::Route& route = config.routes(i);
    const std::string path = indexed("routes", i);
    const auto backend = backends.find(route.backend());
    if (backend == backends.end()) {
      const auto nearest = nearest_word(route.backend(), names);
      report.add(path + ".backend", "there is no backend \"" + route.backend() + "\"" +
                                        (nearest ? "; did you mean " + *nearest + "?" : ""));
    } else if (route.service() != "*" && schema_sources_of(config, backend->second).sources->empty()) {
      report.add(path + ".service", "the backend " + route.backend() + " has no schema to find " + route.service() +
                                        " in; give it one, or route service \"*\" to it");
    }
    check_json(route.json(), path + ".json", report);
    check_stream(route.stream(), path + ".stream", report);
    if (route.has_match()) check_match(route.match(), path + ".match", report);
    if (route.service() == "*" && route.http_rules_size() > 0) {
      report.add(path + ".http_rules", "a route of service \"*\" passes gRPC through and has no rules");
      continue;
    }
    Unique selectors("the selector", report);
    for (int n = 0; n < route.http_rules_size(); ++n) {
      const std::string of_rule = indexed(path + ".http_rules", n);
      check_rule(route.http_rules(n), of_rule, route.service(), report);
      // A second path for a method belongs into additional_bindings.
      selectors.add(route.http_rules(n).selector(), of_rule + ".selector");
    }
  }
}

void check_log(const Config& config, ConfigReport& report) {
  const auto& fields = config.log().access().fields();
  for (int i = 0; i < fields.size(); ++i) {
    if (AccessFields::select(std::vector<std::string>{fields[i]}).ok()) continue;
    const auto nearest = nearest_word(fields[i], AccessFields::names());
    std::string known;
    for (const std::string_view name : AccessFields::names())
      known.append(known.empty() ? "" : ", ").append(name);
    report.add(indexed("log.access.fields", i),
               "the access log has no field \"" + fields[i] + "\"" +
                   (nearest ? "; did you mean " + *nearest + "?" : "; expected one of " + known));
  }
}

void check_limits(const config::v1::Limits& limits, ConfigReport& report) {
  const config::v1::ChannelLimits& channel = limits.channel();
  if (channel.backoff_max() < channel.backoff_min()) {
    report.add("limits.channel.backoff_max", "must not be less than backoff_min");
  }
  if (channel.window_max() < channel.window()) {
    report.add("limits.channel.window_max", "must not be less than window");
  }
  if (limits.reflection().pause_max() < limits.reflection().pause_min()) {
    report.add("limits.reflection.pause_max", "must not be less than pause_min");
  }
}

}  // namespace

void check_configuration(const Config& config, ConfigReport& report) {
  check_listeners(config, report);
  check_backends(config, report);
  check_json(config.json(), "json", report);
  check_stream(config.stream(), "stream", report);
  check_routes(config, report);
  check_log(config, report);
  check_limits(config.limits(), report);
}

}  // namespace transom
