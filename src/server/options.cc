#include "server/options.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

#include "base/text.h"

namespace transom {
namespace {

using std::chrono::nanoseconds;

template <class Duration>
Duration duration_of(int64_t count) {
  return std::chrono::ceil<Duration>(nanoseconds(count));
}

// Verb and path of the rule's pattern.
void set_pattern(const google::api::HttpRule& from, HttpRule& rule) {
  switch (from.pattern_case()) {
    case google::api::HttpRule::kGet:
      rule.method = "GET", rule.path = from.get();
      return;
    case google::api::HttpRule::kPut:
      rule.method = "PUT", rule.path = from.put();
      return;
    case google::api::HttpRule::kPost:
      rule.method = "POST", rule.path = from.post();
      return;
    case google::api::HttpRule::kDelete:
      rule.method = "DELETE", rule.path = from.delete_();
      return;
    case google::api::HttpRule::kPatch:
      rule.method = "PATCH", rule.path = from.patch();
      return;
    case google::api::HttpRule::kCustom:
      rule.method = from.custom().kind(), rule.path = from.custom().path();
      return;
    case google::api::HttpRule::PATTERN_NOT_SET:
      return;
  }
}

HttpRule http_rule_of(const google::api::HttpRule& from, const std::string& selector) {
  HttpRule rule;
  rule.selector = selector;
  rule.body = from.body();
  rule.response_body = from.response_body();
  set_pattern(from, rule);
  return rule;
}

using Json = config::v1::Json;
using Verdicts = config::v1::Strictness;

// One slip's key, and the older key that says the same in fewer words, where there is one.
struct SlipKey {
  Slip slip;
  config::v1::Verdict (Verdicts::*verdict)() const;
  bool (Json::*has_flag)() const = nullptr;
  bool (Json::*flag)() const = nullptr;
  Verdict when_set = Verdict::Ignore;
};

constexpr SlipKey kSlipKeys[] = {
    {Slip::UnknownField, &Verdicts::unknown_field, &Json::has_ignore_unknown_fields, &Json::ignore_unknown_fields},
    {Slip::UnknownQueryKey, &Verdicts::unknown_query_key, &Json::has_ignore_unknown_query_parameters,
     &Json::ignore_unknown_query_parameters},
    {Slip::DuplicateKey, &Verdicts::duplicate_key, &Json::has_last_duplicate_key_wins, &Json::last_duplicate_key_wins},
    {Slip::BoundField, &Verdicts::bound_field, &Json::has_strict_bindings, &Json::strict_bindings, Verdict::Reject},
    {Slip::UnusedBody, &Verdicts::unused_body},
    {Slip::ContentType, &Verdicts::content_type},
    {Slip::TrailingSlash, &Verdicts::trailing_slash},
};

void set_verdict(const Json& json, const SlipKey& key, Strictness& strictness) {
  const config::v1::Verdict verdict = (json.strictness().*key.verdict)();
  if (verdict != config::v1::VERDICT_UNSPECIFIED) {
    strictness.set(key.slip, verdict == config::v1::VERDICT_REJECT   ? Verdict::Reject
                             : verdict == config::v1::VERDICT_REPORT ? Verdict::Report
                                                                     : Verdict::Ignore);
  } else if (key.has_flag != nullptr && (json.*key.has_flag)()) {
    const Verdict other = key.when_set == Verdict::Ignore ? Verdict::Reject : Verdict::Ignore;
    strictness.set(key.slip, (json.*key.flag)() ? key.when_set : other);
  }
}

// Whatever the route says, by either key, beats whatever the process says.
Strictness strictness_of(const Json& process, const Json& route) {
  Strictness strictness;
  for (const SlipKey& key : kSlipKeys) {
    set_verdict(process, key, strictness);
    set_verdict(route, key, strictness);
  }
  return strictness;
}

PatchMask patch_mask_of(config::v1::Mask from) {
  return from == config::v1::MASK_MEMBERS ? PatchMask::Members
         : from == config::v1::MASK_NONE  ? PatchMask::None
                                          : PatchMask::Leaves;
}

Escapes escapes_of(config::v1::Escapes from) {
  return from == config::v1::ESCAPES_SLASH ? Escapes::Slash
         : from == config::v1::ESCAPES_NONE ? Escapes::None
                                            : Escapes::Reserved;
}

}  // namespace

Limits limits_of(const config::v1::Limits& from) {
  Limits limits;
  limits.memory = from.memory();
  limits.request_body = from.request_body();
  limits.response_body = from.response_body();
  limits.message = from.message();
  limits.ignored_body = from.ignored_body();
  limits.offload_body = from.offload_body();
  limits.offload_queue = from.offload_queue();
  return limits;
}

SessionLimits session_limits_of(const config::v1::Limits& from) {
  using std::chrono::milliseconds;
  const config::v1::SessionLimits& session = from.session();
  SessionLimits limits;
  limits.header_bytes = from.header_bytes();
  limits.header_count = from.header_count();
  limits.target_bytes = from.target_bytes();
  limits.streams = session.streams();
  limits.client_resets_burst = session.client_resets_burst();
  limits.client_resets_per_second = session.client_resets_per_second();
  limits.own_resets_burst = session.own_resets_burst();
  limits.own_resets_per_second = session.own_resets_per_second();
  limits.empty_frames = session.empty_frames();
  limits.control_frames_per_second = session.control_frames_per_second();
  limits.requests = session.requests();
  limits.age = duration_of<milliseconds>(session.age());
  limits.idle = duration_of<milliseconds>(session.idle());
  limits.header_timeout = duration_of<milliseconds>(session.header_timeout());
  limits.body_timeout = duration_of<milliseconds>(session.body_timeout());
  limits.write_timeout = duration_of<milliseconds>(session.write_timeout());
  limits.backlog = static_cast<int>(session.backlog());
  limits.sessions = session.open();
  limits.chunk_extension_bytes = session.chunk_extension_bytes();
  limits.proxy_header_bytes = session.proxy_header_bytes();
  limits.dropped_body = session.dropped_body();
  limits.settings_timeout = duration_of<milliseconds>(session.settings_timeout());
  limits.goaway_grace = duration_of<milliseconds>(session.goaway_grace());
  limits.drain_idle = duration_of<milliseconds>(session.drain_idle());
  limits.linger = duration_of<milliseconds>(session.linger());
  limits.dropped_stream_body = session.dropped_stream_body();
  limits.half_close_grace = duration_of<milliseconds>(session.half_close_grace());
  limits.web_socket_ping = duration_of<milliseconds>(session.web_socket_ping());
  limits.web_socket_pong = duration_of<milliseconds>(session.web_socket_pong());
  limits.web_socket_close = duration_of<milliseconds>(session.web_socket_close());
  limits.late_reset_delay = duration_of<milliseconds>(session.late_reset_delay());
  return limits;
}

ChannelLimits channel_limits_of(const config::v1::Limits& from) {
  using std::chrono::milliseconds;
  const config::v1::ChannelLimits& channel = from.channel();
  ChannelLimits limits;
  limits.calls_per_channel = channel.calls();
  limits.channels_per_replica = channel.per_replica();
  limits.waiting_calls = channel.waiting();
  limits.retry_buffer = channel.retry_buffer();
  limits.connect_timeout = duration_of<milliseconds>(channel.connect_timeout());
  limits.backoff_min = duration_of<milliseconds>(channel.backoff_min());
  limits.backoff_max = duration_of<milliseconds>(channel.backoff_max());
  limits.keepalive_time = duration_of<milliseconds>(channel.keepalive_time());
  limits.keepalive_timeout = duration_of<milliseconds>(channel.keepalive_timeout());
  limits.unsent_bytes_before_new = channel.unsent_before_new();
  limits.header_bytes = channel.header_bytes();
  limits.window = channel.window();
  limits.window_max = channel.window_max();
  limits.channel_window = channel.channel_window();
  limits.resets = channel.resets();
  limits.resets_span = duration_of<milliseconds>(channel.resets_span());
  limits.surplus_channel_idle = duration_of<milliseconds>(channel.surplus_idle());
  return limits;
}

ReflectionLimits reflection_limits_of(const config::v1::Limits& from) {
  using std::chrono::milliseconds;
  const config::v1::ReflectionLimits& reflection = from.reflection();
  ReflectionLimits limits;
  limits.timeout = duration_of<milliseconds>(reflection.timeout());
  limits.files = reflection.files();
  limits.bytes = reflection.bytes();
  limits.pause_min = duration_of<milliseconds>(reflection.pause_min());
  limits.pause_max = duration_of<milliseconds>(reflection.pause_max());
  return limits;
}

BackendOptions backend_options_of(const config::v1::Config& config, int backend) {
  const config::v1::Backend& from = config.backends(backend);
  BackendOptions options;
  options.name = from.name();
  options.policy = from.policy() == config::v1::POLICY_ROUND_ROBIN ? Policy::RoundRobin : Policy::LeastRequest;
  options.limits = channel_limits_of(config.limits());
  for (const config::v1::Replica& replica : from.replicas()) {
    options.replicas.push_back({*parse_address(replica.address()), replica.address(), replica.weight()});
  }
  return options;
}

BackendSettings backend_settings_of(const config::v1::Backend& from) {
  BackendSettings settings;
  settings.name = from.name();
  settings.timeout = nanoseconds(from.timeout());
  settings.stream_timeout = nanoseconds(from.stream_timeout());
  settings.stream_idle_timeout = nanoseconds(from.stream_idle_timeout());
  if (from.request_compression() == config::v1::COMPRESSION_GZIP) {
    settings.gzip_at_least = from.request_compression_at_least();
  }
  return settings;
}

ListenerRules listener_rules_of(const config::v1::Listener& from) {
  ListenerRules rules;
  rules.trusted_hops = from.forwarded().trusted_hops();
  const config::v1::Cors& cors = from.cors();
  if (cors.allow_origins_size() == 0) return rules;
  CorsOptions options;
  options.allow_origins = {cors.allow_origins().begin(), cors.allow_origins().end()};
  options.allow_credentials = cors.allow_credentials();
  options.allow_methods = {cors.allow_methods().begin(), cors.allow_methods().end()};
  options.allow_headers = {cors.allow_headers().begin(), cors.allow_headers().end()};
  options.expose_headers = {cors.expose_headers().begin(), cors.expose_headers().end()};
  options.max_age = duration_of<std::chrono::seconds>(cors.max_age());
  rules.cors = std::make_shared<const Cors>(std::move(options));
  return rules;
}

RouteMatch match_of(const config::v1::Match& from) {
  RouteMatch match;
  for (const std::string& host : from.hosts())
    match.hosts.push_back(lower_case(host));
  for (const auto& [name, value] : from.headers())
    match.headers.emplace_back(lower_case(name), value);
  // The message's map has no order of its own.
  std::ranges::sort(match.headers);
  match.path_prefix = from.path_prefix();
  return match;
}

std::vector<HttpRule> http_rules_of(const google::api::HttpRule& from) {
  std::vector<HttpRule> rules{http_rule_of(from, from.selector())};
  for (const google::api::HttpRule& more : from.additional_bindings()) {
    rules.push_back(http_rule_of(more, from.selector()));
  }
  return rules;
}

std::vector<HttpRule> http_rules_of(const config::v1::Route& from) {
  std::vector<HttpRule> rules;
  for (const google::api::HttpRule& rule : from.http_rules()) {
    for (HttpRule& each : http_rules_of(rule))
      rules.push_back(std::move(each));
  }
  return rules;
}

JsonOptions json_options_of(const config::v1::Json& process, const config::v1::Json& route) {
  config::v1::Json json = process;
  json.MergeFrom(route);
  JsonOptions options;
  options.preserve_proto_field_names = json.preserve_proto_field_names();
  options.always_print_fields_with_no_presence = json.always_print_fields_with_no_presence();
  options.always_print_enums_as_ints = json.always_print_enums_as_ints();
  options.int64_as_number = json.int64_as_number();
  options.case_insensitive_enums = json.case_insensitive_enums();
  options.strictness = strictness_of(process, route);
  options.patch_mask = patch_mask_of(json.patch_mask());
  return options;
}

ErrorForm error_form_of(const config::v1::Json& process, const config::v1::Json& route) {
  const bool has_own = route.errors() != config::v1::ERRORS_UNSPECIFIED;
  switch (has_own ? route.errors() : process.errors()) {
    case config::v1::ERRORS_ENVELOPE:
      return ErrorForm::Envelope;
    case config::v1::ERRORS_PROBLEM:
      return ErrorForm::Problem;
    default:
      return ErrorForm::Status;
  }
}

BindingOptions binding_options_of(const config::v1::Json& process, const config::v1::Json& route) {
  config::v1::Json json = process;
  json.MergeFrom(route);
  BindingOptions options;
  options.strictness = strictness_of(process, route);
  options.plus_is_space = json.plus_is_space();
  options.kept_escapes = escapes_of(json.kept_escapes());
  return options;
}

StreamOptions stream_options_of(const config::v1::Stream& process, const config::v1::Stream& route) {
  config::v1::Stream stream = process;
  stream.MergeFrom(route);
  StreamOptions options;
  if (stream.framing() == config::v1::FRAMING_SSE) {
    options.framing = Framing::EventStream;
  } else if (stream.framing() == config::v1::FRAMING_ARRAY) {
    options.framing = Framing::Array;
  }
  if (stream.has_event_keep_alive()) {
    options.event_keep_alive = duration_of<std::chrono::milliseconds>(stream.event_keep_alive());
  }
  options.event_id = stream.event_id();
  options.last_event = stream.last_event();
  options.binds_every = stream.bindings() == config::v1::BOUND_EVERY;
  return options;
}

LogLevel log_level_of(const config::v1::Log& from) {
  switch (from.level()) {
    case config::v1::LEVEL_DEBUG:
      return LogLevel::Debug;
    case config::v1::LEVEL_WARNING:
      return LogLevel::Warning;
    case config::v1::LEVEL_ERROR:
      return LogLevel::Error;
    default:
      return LogLevel::Info;
  }
}

}  // namespace transom
