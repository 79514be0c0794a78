#include "server/options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "server/config.h"

namespace transom {
namespace {

using testing::ElementsAre;
using testing::Pair;

Configuration read(const std::string& rest) {
  return read_configuration("listeners: [ { address: \"a:1\" } ]\n" + rest, "c.yaml", "/");
}

TEST(Options, ABackendIsItsReplicasPolicyAndBounds) {
  const Configuration configuration = read(
      "limits: { channel: { backoff_min: 50ms, calls: 7 } }\n"
      "backends: [ { name: iris, policy: round_robin, timeout: 1500ms, stream_timeout: 1h,"
      " request_compression: gzip, request_compression_at_least: 2KiB,"
      " replicas: [ \"[::1]:5\", { address: \"unix:/p\", weight: 9 } ] } ]\n");
  const BackendOptions options = backend_options_of(configuration.message, 0);
  EXPECT_EQ(options.name, "iris");
  EXPECT_EQ(options.policy, Policy::RoundRobin);
  EXPECT_EQ(options.limits.backoff_min, std::chrono::milliseconds(50));
  EXPECT_EQ(options.limits.calls_per_channel, 7u);
  ASSERT_EQ(options.replicas.size(), 2u);
  EXPECT_EQ(options.replicas[0].name, "[::1]:5");
  EXPECT_EQ(options.replicas[0].address.host, "::1");
  EXPECT_EQ(options.replicas[1].address.path, "/p");
  EXPECT_EQ(options.replicas[1].weight, 9u);
  const BackendSettings settings = backend_settings_of(configuration.message.backends(0));
  EXPECT_EQ(settings.timeout, std::chrono::milliseconds(1500));
  EXPECT_EQ(settings.stream_timeout, std::chrono::hours(1));
  EXPECT_EQ(settings.stream_idle_timeout, BackendSettings().stream_idle_timeout);
  EXPECT_EQ(settings.gzip_at_least, 2 * kKiB);
  const Configuration plain = read("backends: [ { name: iris, replicas: [ \"a:1\" ] } ]\n");
  EXPECT_EQ(backend_settings_of(plain.message.backends(0)).gzip_at_least, kNeverGzip);
}

// Every key of `limits`, each # to be a number of its own.
constexpr const char* kEveryLimit = R"(limits:
  { memory: #KiB, request_body: #KiB, response_body: #KiB, message: #KiB, header_bytes: #KiB, header_count: #,
    offload_body: #KiB, offload_queue: #MiB, target_bytes: #KiB, ignored_body: #KiB,
    session: { streams: #, client_resets_burst: #, client_resets_per_second: #, own_resets_burst: #,
      own_resets_per_second: #, empty_frames: #, control_frames_per_second: #, requests: #, age: #s, idle: #s,
      header_timeout: #s, body_timeout: #s, write_timeout: #s, backlog: #, open: #, chunk_extension_bytes: #,
      proxy_header_bytes: #KiB, dropped_body: #KiB, settings_timeout: #s, goaway_grace: #s, drain_idle: #s, linger: #s,
      dropped_stream_body: #KiB, half_close_grace: #s, web_socket_ping: #s,
      web_socket_pong: #s, web_socket_close: #s, late_reset_delay: #s },
    channel: { calls: #, per_replica: #, waiting: #, connect_timeout: #s, backoff_min: #s, backoff_max: #s,
      keepalive_time: #s, keepalive_timeout: #s, retry_buffer: #KiB, unsent_before_new: #KiB, header_bytes: #KiB,
      window: #KiB, window_max: #KiB, channel_window: #KiB, surplus_idle: #s, resets: #,
      resets_span: #s },
    reflection: { timeout: #s, files: #, bytes: #KiB, pause_min: #s, pause_max: #s } }
)";

std::string numbered(std::string yaml, int n) {
  for (size_t at = yaml.find('#'); at != std::string::npos; at = yaml.find('#', at)) {
    yaml.replace(at, 1, std::to_string(++n));
  }
  return yaml;
}

TEST(Options, EveryBoundThatIsNotFixedHasItsKey) {
  int n = 100;
  const Configuration configuration = read(numbered(kEveryLimit, n));
  ASSERT_THAT(configuration.report.lines(), ElementsAre());
  const auto number = [&n] { return static_cast<size_t>(++n); };
  const auto size = [&n] { return static_cast<size_t>(++n) * kKiB; };
  const auto time = [&n] { return std::chrono::seconds(++n); };
  const Limits limits = limits_of(configuration.message.limits());
  const SessionLimits session = session_limits_of(configuration.message.limits());
  const ChannelLimits channel = channel_limits_of(configuration.message.limits());
  const ReflectionLimits reflection = reflection_limits_of(configuration.message.limits());
  EXPECT_EQ(limits.memory, size());
  EXPECT_EQ(limits.request_body, size());
  EXPECT_EQ(limits.response_body, size());
  EXPECT_EQ(limits.message, size());
  EXPECT_EQ(session.header_bytes, size());
  EXPECT_EQ(session.header_count, number());
  EXPECT_EQ(limits.offload_body, size());
  EXPECT_EQ(limits.offload_queue, number() * kMiB);
  EXPECT_EQ(session.target_bytes, size());
  EXPECT_EQ(limits.ignored_body, size());
  for (size_t bound : {session.streams, session.client_resets_burst, session.client_resets_per_second,
                       session.own_resets_burst, session.own_resets_per_second, session.empty_frames,
                       session.control_frames_per_second, session.requests}) {
    EXPECT_EQ(bound, number());
  }
  for (auto bound : {session.age, session.idle, session.header_timeout, session.body_timeout, session.write_timeout}) {
    EXPECT_EQ(bound, time());
  }
  EXPECT_EQ(static_cast<size_t>(session.backlog), number());
  EXPECT_EQ(session.sessions, number());
  EXPECT_EQ(session.chunk_extension_bytes, number());
  EXPECT_EQ(session.proxy_header_bytes, size());
  EXPECT_EQ(session.dropped_body, size());
  for (auto bound : {session.settings_timeout, session.goaway_grace, session.drain_idle, session.linger}) {
    EXPECT_EQ(bound, time());
  }
  EXPECT_EQ(session.dropped_stream_body, size());
  for (auto bound : {session.half_close_grace, session.web_socket_ping, session.web_socket_pong,
                     session.web_socket_close}) {
    EXPECT_EQ(bound, time());
  }
  EXPECT_EQ(session.late_reset_delay, time());
  for (size_t bound : {channel.calls_per_channel, channel.channels_per_replica, channel.waiting_calls}) {
    EXPECT_EQ(bound, number());
  }
  for (auto bound : {channel.connect_timeout, channel.backoff_min, channel.backoff_max, channel.keepalive_time,
                     channel.keepalive_timeout}) {
    EXPECT_EQ(bound, time());
  }
  for (size_t bound : {channel.retry_buffer, channel.unsent_bytes_before_new, channel.header_bytes, channel.window,
                       channel.window_max, channel.channel_window}) {
    EXPECT_EQ(bound, size());
  }
  EXPECT_EQ(channel.surplus_channel_idle, time());
  EXPECT_EQ(channel.resets, number());
  EXPECT_EQ(channel.resets_span, time());
  EXPECT_EQ(reflection.timeout, time());
  EXPECT_EQ(reflection.files, number());
  EXPECT_EQ(reflection.bytes, size());
  EXPECT_EQ(reflection.pause_min, time());
  EXPECT_EQ(reflection.pause_max, time());
}

TEST(Options, BoundsNotWrittenAreThoseOfTheCode) {
  const config::v1::Limits none = read("").message.limits();
  const SessionLimits session = session_limits_of(none);
  const ChannelLimits channel = channel_limits_of(none);
  const ReflectionLimits reflection = reflection_limits_of(none);
  EXPECT_EQ(session.target_bytes, SessionLimits().target_bytes);
  EXPECT_EQ(session.chunk_extension_bytes, SessionLimits().chunk_extension_bytes);
  EXPECT_EQ(session.proxy_header_bytes, SessionLimits().proxy_header_bytes);
  EXPECT_EQ(session.dropped_body, SessionLimits().dropped_body);
  EXPECT_EQ(session.settings_timeout, SessionLimits().settings_timeout);
  EXPECT_EQ(session.goaway_grace, SessionLimits().goaway_grace);
  EXPECT_EQ(session.drain_idle, SessionLimits().drain_idle);
  EXPECT_EQ(session.linger, SessionLimits().linger);
  EXPECT_EQ(session.dropped_stream_body, SessionLimits().dropped_stream_body);
  EXPECT_EQ(session.half_close_grace, SessionLimits().half_close_grace);
  EXPECT_EQ(session.web_socket_ping, SessionLimits().web_socket_ping);
  EXPECT_EQ(session.web_socket_pong, SessionLimits().web_socket_pong);
  EXPECT_EQ(session.web_socket_close, SessionLimits().web_socket_close);
  EXPECT_EQ(session.late_reset_delay, SessionLimits().late_reset_delay);
  EXPECT_EQ(limits_of(none).ignored_body, Limits().ignored_body);
  EXPECT_EQ(channel.unsent_bytes_before_new, ChannelLimits().unsent_bytes_before_new);
  EXPECT_EQ(channel.header_bytes, ChannelLimits().header_bytes);
  EXPECT_EQ(channel.window, ChannelLimits().window);
  EXPECT_EQ(channel.window_max, ChannelLimits().window_max);
  EXPECT_EQ(channel.channel_window, ChannelLimits().channel_window);
  EXPECT_EQ(channel.surplus_channel_idle, ChannelLimits().surplus_channel_idle);
  EXPECT_EQ(channel.resets, ChannelLimits().resets);
  EXPECT_EQ(channel.resets_span, ChannelLimits().resets_span);
  EXPECT_EQ(reflection.timeout, ReflectionLimits().timeout);
  EXPECT_EQ(reflection.files, ReflectionLimits().files);
  EXPECT_EQ(reflection.bytes, ReflectionLimits().bytes);
  EXPECT_EQ(reflection.pause_min, ReflectionLimits().pause_min);
  EXPECT_EQ(reflection.pause_max, ReflectionLimits().pause_max);
}

TEST(Options, ARouteOverridesTheProcesssJsonKeyByKey) {
  const Configuration configuration = read(
      "json: { int64_as_number: true, strict_bindings: true, ignore_unknown_query_parameters: true }\n"
      "backends: [ { name: a, replicas: [ a:1 ], schema: [ { reflection: true } ] } ]\n"
      "routes: [ { service: a.B, backend: a, json: { int64_as_number: false, ignore_unknown_fields: true } } ]\n");
  const auto& route = configuration.message.routes(0);
  const JsonOptions json = json_options_of(configuration.message.json(), route.json());
  EXPECT_FALSE(json.int64_as_number);
  EXPECT_EQ(json.strictness.of(Slip::UnknownField), Verdict::Ignore);
  EXPECT_EQ(json.strictness.of(Slip::BoundField), Verdict::Reject);
  const BindingOptions bindings = binding_options_of(configuration.message.json(), route.json());
  EXPECT_EQ(bindings.strictness.of(Slip::BoundField), Verdict::Reject);
  EXPECT_EQ(bindings.strictness.of(Slip::UnknownQueryKey), Verdict::Ignore);
}

TEST(Options, WhatARouteSaysOfASlipByEitherKeyBeatsTheProcess) {
  const struct {
    const char* process;
    const char* route;
    Slip slip;
    Verdict verdict;
  } cases[] = {
      {"", "", Slip::UnknownField, Verdict::Reject},
      {"ignore_unknown_fields: true", "", Slip::UnknownField, Verdict::Ignore},
      {"ignore_unknown_fields: true", "ignore_unknown_fields: false", Slip::UnknownField, Verdict::Reject},
      {"strictness: { unknown_field: report }", "ignore_unknown_fields: true", Slip::UnknownField, Verdict::Ignore},
      {"ignore_unknown_fields: true", "strictness: { unknown_field: report }", Slip::UnknownField, Verdict::Report},
      {"strictness: { unknown_query_key: report }", "strictness: { unknown_field: ignore }", Slip::UnknownQueryKey,
       Verdict::Report},
      {"last_duplicate_key_wins: true", "", Slip::DuplicateKey, Verdict::Ignore},
      {"strict_bindings: true", "strict_bindings: false", Slip::BoundField, Verdict::Ignore},
      {"", "strictness: { unused_body: reject }", Slip::UnusedBody, Verdict::Reject},
      {"strictness: { content_type: report }", "", Slip::ContentType, Verdict::Report},
      {"strictness: { trailing_slash: reject }", "", Slip::TrailingSlash, Verdict::Reject},
  };
  for (const auto& row : cases) {
    const Configuration configuration =
        read("json: { " + std::string(row.process) +
             " }\n"
             "backends: [ { name: a, replicas: [ a:1 ], schema: [ { reflection: true } ] } ]\n"
             "routes: [ { service: a.B, backend: a, json: { " +
             row.route + " } } ]\n");
    ASSERT_EQ(configuration.report.errors(), 0u) << row.process << " / " << row.route;
    const auto& process = configuration.message.json();
    const auto& route = configuration.message.routes(0).json();
    EXPECT_EQ(json_options_of(process, route).strictness.of(row.slip), row.verdict) << row.process << row.route;
    EXPECT_EQ(binding_options_of(process, route).strictness.of(row.slip), row.verdict) << row.process << row.route;
  }
}

TEST(Options, ARouteReadsItsQueryAndPathAsItIsTold) {
  const Configuration configuration = read("json: { plus_is_space: true, kept_escapes: slash }\n");
  const BindingOptions told = binding_options_of(configuration.message.json(), {});
  EXPECT_TRUE(told.plus_is_space);
  EXPECT_EQ(told.kept_escapes, Escapes::Slash);
  EXPECT_FALSE(binding_options_of({}, {}).plus_is_space);
  EXPECT_EQ(binding_options_of({}, {}).kept_escapes, Escapes::Reserved);
}

TEST(Options, ErrorsAndMasksAreTheRoutesElseTheProcesss) {
  const Configuration configuration = read(
      "json: { errors: problem, patch_mask: none }\n"
      "backends: [ { name: a, replicas: [ a:1 ], schema: [ { reflection: true } ] } ]\n"
      "routes: [ { service: a.B, backend: a, json: { errors: envelope, patch_mask: members } },\n"
      "          { service: a.C, backend: a, json: { errors: status } }, { service: a.D, backend: a } ]\n");
  const auto& process = configuration.message.json();
  const auto route = [&](int i) -> const config::v1::Json& { return configuration.message.routes(i).json(); };
  EXPECT_EQ(error_form_of(process, route(0)), ErrorForm::Envelope);
  EXPECT_EQ(error_form_of(process, route(1)), ErrorForm::Status);
  EXPECT_EQ(error_form_of(process, route(2)), ErrorForm::Problem);
  EXPECT_EQ(error_form_of({}, {}), ErrorForm::Status);
  EXPECT_EQ(json_options_of(process, route(0)).patch_mask, PatchMask::Members);
  EXPECT_EQ(json_options_of(process, route(1)).patch_mask, PatchMask::None);
  EXPECT_EQ(json_options_of({}, {}).patch_mask, PatchMask::Leaves);
}

TEST(Options, AListenerSaysWhomItTrustsAndWhichPagesItLetsIn) {
  const auto rules = [](const std::string& keys) {
    const Configuration configuration =
        read_configuration("listeners: [ { address: \"a:1\", " + keys + " } ]", "c.yaml", "/");
    EXPECT_THAT(configuration.report.lines(), ElementsAre());
    return listener_rules_of(configuration.message.listeners(0));
  };
  EXPECT_EQ(rules("forwarded: { trusted_hops: 2 }").trusted_hops, 2u);
  EXPECT_EQ(rules("cors: { allow_origins: [] }").cors, nullptr);
  const ListenerRules open = rules(
      "cors: { allow_origins: [ \"https://a.test\" ], allow_credentials: true, allow_methods: [ GET ], "
      "allow_headers: [ x-key ], expose_headers: [ x-model ], max_age: 90s }");
  Fields request;
  request.add("origin", "https://a.test");
  Fields answer;
  open.cors->fill_preflight(request, "GET, POST, OPTIONS", answer);
  EXPECT_EQ(answer.find("access-control-allow-origin"), "https://a.test");
  EXPECT_EQ(answer.find("access-control-allow-credentials"), "true");
  EXPECT_EQ(answer.find("access-control-allow-methods"), "GET");
  EXPECT_NE(answer.find("access-control-allow-headers")->find(", x-key"), std::string_view::npos);
  EXPECT_EQ(answer.find("access-control-max-age"), "90");
  answer.clear();
  open.cors->fill_answer(request, answer);
  EXPECT_EQ(answer.find("access-control-expose-headers"), "x-model");
}

TEST(Options, StreamsAreTheRoutesElseTheProcesss) {
  const Configuration configuration = read(
      "stream: { framing: sse, event_keep_alive: 2s, last_event: \"[DONE]\" }\n"
      "backends: [ { name: a, replicas: [ a:1 ], schema: [ { reflection: true } ] } ]\n"
      "routes: [ { service: a.B, backend: a, stream: { framing: array, event_id: x.y, bindings: every } },\n"
      "          { service: a.C, backend: a, stream: { event_keep_alive: 0s, last_event: \"\" } } ]\n");
  const auto& process = configuration.message.stream();
  const StreamOptions first = stream_options_of(process, configuration.message.routes(0).stream());
  EXPECT_EQ(first.framing, Framing::Array);
  EXPECT_EQ(first.event_keep_alive, std::chrono::seconds(2));
  EXPECT_EQ(first.event_id, "x.y");
  EXPECT_EQ(first.last_event, "[DONE]");
  EXPECT_TRUE(first.binds_every);
  const StreamOptions second = stream_options_of(process, configuration.message.routes(1).stream());
  EXPECT_EQ(second.framing, Framing::EventStream);
  EXPECT_EQ(second.event_keep_alive, std::chrono::seconds(0));
  EXPECT_EQ(second.last_event, "");
  EXPECT_FALSE(second.binds_every);
  EXPECT_EQ(stream_options_of({}, {}).framing, Framing::NdJson);
  EXPECT_EQ(stream_options_of({}, {}).event_keep_alive, kEventKeepAlive);
}

TEST(Options, AMatchIsInLowerCaseAndInOrder) {
  config::v1::Match from;
  from.add_hosts("A.Example");
  (*from.mutable_headers())["X-B"] = "Two";
  (*from.mutable_headers())["X-A"] = "One";
  from.set_path_prefix("/P");
  const RouteMatch match = match_of(from);
  EXPECT_THAT(match.hosts, ElementsAre("a.example"));
  EXPECT_THAT(match.headers, ElementsAre(Pair("x-a", "One"), Pair("x-b", "Two")));
  EXPECT_EQ(match.path_prefix, "/P");
}

TEST(Options, ARuleAndItsAdditionalBindingsAreRulesOfOneSelector) {
  config::v1::Route route;
  google::api::HttpRule* rule = route.add_http_rules();
  rule->set_selector("a.B.C");
  rule->set_post("/c");
  rule->set_body("*");
  rule->set_response_body("x");
  google::api::HttpRule* more = rule->add_additional_bindings();
  more->mutable_custom()->set_kind("LIST");
  more->mutable_custom()->set_path("/d");
  const std::vector<HttpRule> rules = http_rules_of(route);
  ASSERT_EQ(rules.size(), 2u);
  EXPECT_EQ(rules[0].method, "POST");
  EXPECT_EQ(rules[0].path, "/c");
  EXPECT_EQ(rules[0].body, "*");
  EXPECT_EQ(rules[0].response_body, "x");
  EXPECT_EQ(rules[1].selector, "a.B.C");
  EXPECT_EQ(rules[1].method, "LIST");
  EXPECT_EQ(rules[1].path, "/d");
}

TEST(Options, EveryLogLevelHasItsOwn) {
  const struct {
    const char* word;
    LogLevel level;
  } cases[] = {
      {"debug", LogLevel::Debug}, {"info", LogLevel::Info}, {"warning", LogLevel::Warning}, {"error", LogLevel::Error}};
  for (const auto& c : cases) {
    EXPECT_EQ(log_level_of(read(std::string("log: { level: ") + c.word + " }").message.log()), c.level);
  }
  EXPECT_EQ(log_level_of(read("").message.log()), LogLevel::Info);
}

}  // namespace
}  // namespace transom
