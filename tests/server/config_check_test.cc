#include "server/config_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "server/config.h"

namespace transom {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> complaints(const std::string& rest) {
  const std::string yaml =
      rest.starts_with("listeners") ? rest : "listeners: [ { address: \"127.0.0.1:1\" } ]\n" + rest;
  return read_configuration(yaml, "c.yaml", "/etc").report.lines();
}

constexpr const char* kBackend = "backends: [ { name: iris, schema: [ { reflection: true } ], replicas: [ a:1 ] } ]\n";

TEST(ConfigCheck, ASoundConfigurationHasNothingToComplainOf) {
  EXPECT_THAT(complaints(std::string(kBackend) + "routes: [ { service: a.B, backend: iris } ]"), ElementsAre());
  EXPECT_THAT(complaints("listeners: [ { address: \"127.0.0.1:0\" }, { address: \"127.0.0.1:0\" } ]"), ElementsAre());
  EXPECT_THAT(
      complaints("backends: [ { name: any, replicas: [ a:1 ] } ]\nroutes: [ { service: \"*\", backend: any } ]"),
      ElementsAre());
}

TEST(ConfigCheck, NamesMustFitEachOther) {
  const std::string route = std::string(kBackend) + "routes: [ { service: a.B, backend: iris, ";
  const struct {
    std::string yaml;
    const char* complaint;
  } cases[] = {
      {"listeners: [ { address: \"a:1\" }, { address: \"a:1\" } ]",
       "c.yaml:1:45: listeners[1].address: the address \"a:1\" is taken by listeners[0].address"},
      {"listeners: [ { address: \"a:1\", cors: { allow_origins: [ \"https://a.test/\" ] } } ]",
       "listeners[0].cors.allow_origins[0]: expected *, or an origin as browsers send it"},
      {"listeners: [ { address: \"a:1\", cors: { allow_origins: [ \"*\" ], allow_credentials: true } } ]",
       "listeners[0].cors.allow_credentials: cannot be true where allow_origins has \"*\""},
      {"listeners: [ { address: \"a:1\", cors: { allow_origins: [ \"https://a.test\" ], allow_methods: [ get ] } } ]",
       "listeners[0].cors.allow_methods[0]: expected * or a method in upper case, found \"get\""},
      {"listeners: [ { address: \"a:1\", cors: { allow_origins: [ \"https://a.test\" ], allow_headers: [ \"a b\" ] } } ]",
       "listeners[0].cors.allow_headers[0]: expected * or the name of a header field"},
      {"listeners: [ { address: \"a:1\", cors: { allow_origins: [ \"https://a.test\" ], allow_credentials: true, "
       "expose_headers: [ \"*\" ] } } ]",
       "listeners[0].cors.expose_headers: \"*\" is no wildcard"},
      {"listeners: [ { address: \"a:1\", cors: { allow_methods: [ GET ] } } ]",
       "listeners[0].cors.allow_origins: is empty"},
      {"admin: { address: \"127.0.0.1:1\" }",
       "admin.address: the address \"127.0.0.1:1\" is taken by listeners[0].address"},
      {"backends: [ { name: a, replicas: [ a:1 ] }, { name: a, replicas: [ a:1 ] } ]",
       "backends[1].name: the name \"a\" is taken by backends[0].name"},
      {"backends: [ { name: a, replicas: [ a:1, a:1 ] } ]", "the replica \"a:1\" is taken by backends[0].replicas[0]"},
      {"backends: [ { name: a, replicas: [ a:0 ] } ]", "backends[0].replicas[0]: a replica needs a port"},
      {std::string(kBackend) + "routes: [ { service: a.B, backend: irs } ]",
       "routes[0].backend: there is no backend \"irs\"; did you mean iris?"},
      {"backends: [ { name: a, replicas: [ a:1 ] } ]\nroutes: [ { service: a.B, backend: a } ]",
       "routes[0].service: the backend a has no schema to find a.B in"},
      {"schema: [ {} ]", "schema[0]: needs one of descriptor_set, proto and reflection"},
      {"schema: [ { reflection: false } ]", "schema[0].reflection: expected true"},
      {"schema: [ { reflection: true, import_paths: [ a ] } ]", "is for a source with proto alone"},
      {route + "http_rules: [ { get: /a } ] } ]",
       "routes[0].http_rules[0].selector: is missing; expected a method, like a.B."},
      {route + "http_rules: [ { selector: a.C.D, get: /a } ] } ]", "\"a.C.D\" is no method of the route's service a.B"},
      {route + "http_rules: [ { selector: a.B.D } ] } ]", "routes[0].http_rules[0]: a.B.D has no pattern"},
      {route +
           "http_rules: [ { selector: a.B.D, get: /a, additional_bindings: [ { selector: a.B.D, get: /b } ] } ] } ]",
       "additional_bindings[0].selector: belongs to the outer rule alone"},
      {route + "http_rules: [ { selector: a.B.D, get: /a, additional_bindings: [ { body: \"*\" } ] } ] } ]",
       "a.B.D has an additional binding without a pattern"},
      {route + "http_rules: [ { selector: a.B.D, get: /a }, { selector: a.B.D, get: /b } ] } ]",
       "routes[0].http_rules[1].selector: the selector \"a.B.D\" is taken by routes[0].http_rules[0].selector"},
      {route + "match: { path_prefix: a/ } } ]", "routes[0].match.path_prefix: expected / and a path"},
      {route + "match: { hosts: [ \"a:80\" ] } } ]", "routes[0].match.hosts[0]: expected a host or *.suffix"},
      {"json: { ignore_unknown_fields: true, strictness: { unknown_field: report } }",
       "json.strictness.unknown_field: is said already by json.ignore_unknown_fields"},
      {route + "json: { strict_bindings: false, strictness: { bound_field: reject } } } ]",
       "routes[0].json.strictness.bound_field: is said already by routes[0].json.strict_bindings"},
      {"log: { access: { fields: [ time, durations_ms ] } }", "did you mean duration_ms?"},
      {"log: { access: { fields: [ nosuch ] } }",
       "log.access.fields[0]: the access log has no field \"nosuch\"; expected one of time, request_id, client, method, "},
      {"limits: { channel: { backoff_min: 2s, backoff_max: 1s } }", "limits.channel.backoff_max: must not be less"},
      {"limits: { channel: { window: 2MiB } }", "limits.channel.window_max: must not be less than window"},
      {"limits: { reflection: { pause_max: 20ms } }", "limits.reflection.pause_max: must not be less than pause_min"},
  };
  for (const auto& c : cases) {
    EXPECT_THAT(complaints(c.yaml), Contains(HasSubstr(c.complaint))) << c.yaml;
  }
}

TEST(ConfigCheck, ALastEventIsOneLine) {
  EXPECT_THAT(complaints("stream: { last_event: \"[DONE]\" }"), ElementsAre());
  EXPECT_THAT(complaints("stream: { last_event: \"a\\nb\" }"),
              ElementsAre("c.yaml:2:23: stream.last_event: must be one line"));
}

}  // namespace
}  // namespace transom
