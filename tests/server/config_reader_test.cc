#include "server/config_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "base/limits.h"
#include "server/options.h"
#include "transom/config/v1/config.pb.h"

namespace transom {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

struct Read {
  config::v1::Config config;
  ConfigReport report{"c.yaml"};

  explicit Read(const std::string& yaml) { read_config(yaml, "/etc", config, report); }
};

constexpr const char* kSound = R"(
listeners:
  - address: 127.0.0.1:8080
    tls: { certificate: a.pem, private_key: a.key }
backends:
  - name: iris
    schema: [ { proto: p.proto, import_paths: [ protos, /usr/include ] }, { reflection: true } ]
    replicas: [ 127.0.0.1:1, { address: 127.0.0.1:2, weight: 3 }, "unix:/run/p.sock" ]
    policy: round_robin
routes:
  - service: a.B
    backend: iris
    match: { hosts: [ a.b ], headers: { X-One: "1" }, path_prefix: /p }
    http_rules: [ { selector: a.B.C, get: "/c/{x=*}", additional_bindings: [ { custom: { kind: LIST, path: /c } } ] } ]
    json: { int64_as_number: true }
)";

TEST(ConfigReader, ReadsTheKeysThatAreWritten) {
  const Read read(kSound);
  ASSERT_THAT(read.report.lines(), ElementsAre());
  EXPECT_EQ(read.config.listeners(0).tls().certificate(), "/etc/a.pem");
  const config::v1::Backend& backend = read.config.backends(0);
  EXPECT_THAT(backend.schema(0).import_paths(), ElementsAre("/etc/protos", "/usr/include"));
  EXPECT_TRUE(backend.schema(1).reflection());
  EXPECT_EQ(backend.policy(), config::v1::POLICY_ROUND_ROBIN);
  const config::v1::Route& route = read.config.routes(0);
  EXPECT_EQ(route.match().headers().at("X-One"), "1");
  EXPECT_EQ(route.http_rules(0).get(), "/c/{x=*}");
  EXPECT_EQ(route.http_rules(0).additional_bindings(0).custom().kind(), "LIST");
  EXPECT_TRUE(route.json().int64_as_number());
  EXPECT_FALSE(route.json().has_ignore_unknown_fields());
}

TEST(ConfigReader, AReplicaIsAnAddressOrAGroup) {
  const Read read(kSound);
  const auto& replicas = read.config.backends(0).replicas();
  ASSERT_EQ(replicas.size(), 3);
  EXPECT_EQ(replicas[0].address(), "127.0.0.1:1");
  EXPECT_EQ(replicas[0].weight(), 1u);
  EXPECT_EQ(replicas[1].weight(), 3u);
  EXPECT_EQ(replicas[2].address(), "unix:/run/p.sock");
}

// The presets in config.proto say again what base/limits.h says; neither may go its own way.
TEST(ConfigReader, PresetsAreThoseOfTheLimits) {
  const Read read(kSound);
  const Limits limits = limits_of(read.config.limits());
  EXPECT_EQ(limits.memory, Limits().memory);
  EXPECT_EQ(limits.request_body, Limits().request_body);
  EXPECT_EQ(limits.response_body, Limits().response_body);
  EXPECT_EQ(limits.message, Limits().message);
  EXPECT_EQ(limits.offload_body, Limits().offload_body);
  EXPECT_EQ(limits.offload_queue, Limits().offload_queue);
  const SessionLimits session = session_limits_of(read.config.limits());
  const SessionLimits own;
  EXPECT_EQ(session.header_bytes, own.header_bytes);
  EXPECT_EQ(session.header_count, own.header_count);
  EXPECT_EQ(session.streams, own.streams);
  EXPECT_EQ(session.client_resets_burst, own.client_resets_burst);
  EXPECT_EQ(session.client_resets_per_second, own.client_resets_per_second);
  EXPECT_EQ(session.own_resets_burst, own.own_resets_burst);
  EXPECT_EQ(session.own_resets_per_second, own.own_resets_per_second);
  EXPECT_EQ(session.empty_frames, own.empty_frames);
  EXPECT_EQ(session.control_frames_per_second, own.control_frames_per_second);
  EXPECT_EQ(session.requests, own.requests);
  EXPECT_EQ(session.age, own.age);
  EXPECT_EQ(session.idle, own.idle);
  EXPECT_EQ(session.header_timeout, own.header_timeout);
  EXPECT_EQ(session.body_timeout, own.body_timeout);
  EXPECT_EQ(session.write_timeout, own.write_timeout);
  EXPECT_EQ(session.backlog, own.backlog);
  EXPECT_EQ(session.sessions, own.sessions);
  const ChannelLimits channel = channel_limits_of(read.config.limits());
  EXPECT_EQ(channel.calls_per_channel, ChannelLimits().calls_per_channel);
  EXPECT_EQ(channel.channels_per_replica, ChannelLimits().channels_per_replica);
  EXPECT_EQ(channel.waiting_calls, ChannelLimits().waiting_calls);
  EXPECT_EQ(channel.connect_timeout, ChannelLimits().connect_timeout);
  EXPECT_EQ(channel.backoff_min, ChannelLimits().backoff_min);
  EXPECT_EQ(channel.backoff_max, ChannelLimits().backoff_max);
  EXPECT_EQ(channel.keepalive_time, ChannelLimits().keepalive_time);
  EXPECT_EQ(channel.keepalive_timeout, ChannelLimits().keepalive_timeout);
  EXPECT_EQ(channel.retry_buffer, ChannelLimits().retry_buffer);
}

TEST(ConfigReader, TellsAllThatIsWrongWithItsPlace) {
  const Read read(
      "listeners:\n"
      "  - adress: 127.0.0.1:1\n"
      "workers: many\n"
      "limits:\n"
      "  message: [ 1 ]\n"
      "  request_body: 1MiB\n"
      "  request_body: 2MiB\n"
      "routes: x\n");
  EXPECT_THAT(read.report.lines(), ElementsAre("c.yaml:2:5: listeners[0].adress: unknown key; did you mean address?",
                                               "c.yaml:2:5: listeners[0].address: is missing",
                                               "c.yaml:3:10: workers: expected a whole number, found \"many\"",
                                               "c.yaml:5:12: limits.message: expected a single value, found a list",
                                               "c.yaml:7:3: limits.request_body: is written twice, first in line 6",
                                               "c.yaml:8:9: routes: expected a list, found \"x\""));
}

TEST(ConfigReader, RefusesWhatCannotBeMeant) {
  const struct {
    const char* yaml;
    const char* complaint;
  } cases[] = {
      {"", "c.yaml:1:1: listeners: is missing"},
      {"listeners: []", "listeners: needs at least one element"},
      {"- a", "c.yaml:1:1: expected a group of keys, found a list"},
      {"listeners: [", "c.yaml:1:"},
      {"a: b\n---\nc: d", "a second YAML document"},
      {"backends: [ { name: a, replicas: [ [] ] } ]",
       "backends[0].replicas[0]: expected a group of keys, found a list"},
      {"backends: [ { name: a, replicas: [ nowhere ] } ]", "backends[0].replicas[0]: expected host:port"},
      {"schema: [ { proto: a, descriptor_set: b } ]",
       "only one of descriptor_set, proto and reflection may be written"},
      {"workers:", "c.yaml:1:1: workers: expected a single value, found nothing"},
      {"workers: { a: b }", "workers: expected a single value, found a group of keys"},
      {"? [ a ]\n: b", "expected the name of a key, found a list"},
      {"backends: [ { dns: { name: a } } ]", "backends[0].dns: unknown key"},
      {"listeners: [ { quic: {} } ]", "listeners[0].quic: unknown key"},
      {"routes: [ { match: { headers: { a: 1, a: 2 } } } ]", "routes[0].match.headers.a: is written twice"},
      {"routes: [ { match: { headers: [ a ] } } ]", "expected names and values, found a list"},
      {"workers: ${TRANSOM_TEST_MISSING}", "the environment variable \"TRANSOM_TEST_MISSING\" is not set"},
      {"routes: [ { http_rules: [ &a { additional_bindings: [ *a ] } ] } ]", "an alias that stands in itself"},
  };
  for (const auto& c : cases) {
    EXPECT_THAT(Read(c.yaml).report.lines(), Contains(HasSubstr(c.complaint))) << c.yaml;
  }
}

TEST(ConfigReader, TakesTheEnvironmentInValuesOnly) {
  setenv("TRANSOM_TEST_PORT", "1234", 1);
  setenv("TRANSOM_TEST_YAML", "4, admin: { address: \"x:1\" }", 1);
  EXPECT_EQ(Read("listeners: [ { address: \"127.0.0.1:${TRANSOM_TEST_PORT}\" } ]").config.listeners(0).address(),
            "127.0.0.1:1234");
  EXPECT_THAT(Read("workers: ${TRANSOM_TEST_YAML}").report.lines(), Contains(HasSubstr("expected a whole number")));
}

}  // namespace
}  // namespace transom
