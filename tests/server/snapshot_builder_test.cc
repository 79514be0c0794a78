#include "server/snapshot_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "support/temp_folder.h"

namespace transom {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kProto = R"(syntax = "proto3"; package a;
message M { string text = 1; }
service B { rpc C(M) returns (M); rpc D(M) returns (M); })";

// A configuration in a folder that also has a.proto.
Configuration configuration(const std::string& rest) {
  std::ofstream(temp_folder() + "a.proto") << kProto;
  Configuration read = read_configuration("listeners: [ { address: \"a:1\" } ]\n" + rest, "c.yaml", temp_folder());
  EXPECT_THAT(read.report.lines(), ElementsAre());
  return read;
}

const std::string kBackend = "backends: [ { name: one, schema: [ { proto: a.proto } ], replicas: [ a:1 ] } ]\n";
const std::string kReflected = "backends: [ { name: one, schema: [ { reflection: true } ], replicas: [ a:1 ] } ]\n";

std::string proto_as_set() {
  std::ofstream(temp_folder() + "a.proto") << kProto;
  SchemaLoader loader;
  EXPECT_TRUE(loader.add_proto_file(temp_folder() + "a.proto", {temp_folder()}).ok());
  return loader.descriptor_set();
}

std::vector<std::string> labels(const Snapshot& snapshot) {
  std::vector<std::string> labels;
  for (const auto& route : snapshot.router->routes()) {
    if (route->kind == RouteKind::Json && !route->backend.empty()) labels.push_back(route->method + " " + route->label);
  }
  return labels;
}

// Of a POST that finds no route.
int status_of(const Snapshot& snapshot, const std::string& path) {
  const Fields fields;
  const auto answer = snapshot.router->find({"POST", path, "host", fields}, {});
  const NotFound* refusal = std::get_if<NotFound>(&answer);
  return refusal != nullptr ? http_status_of(refusal->status) : 200;
}

TEST(SnapshotBuilder, RoutesOfAProtoFileAreServed) {
  const Configuration read = configuration(
      kBackend + "routes: [ { service: a.B, backend: one, http_rules: [ { selector: a.B.C, get: \"/c/{text}\" } ] } ]");
  SnapshotBuilder builder(read);
  ConfigReport report("c.yaml");
  const SnapshotPtr snapshot = builder.build(report);
  ASSERT_NE(snapshot, nullptr) << testing::PrintToString(report.lines());
  EXPECT_THAT(labels(*snapshot), testing::UnorderedElementsAre("GET /c/{text}", "POST /a.B/D"));
  EXPECT_EQ(snapshot->backends[0].name, "one");
}

TEST(SnapshotBuilder, EachWrongRouteAndRuleIsToldAtItsPlace) {
  const Configuration read = configuration(kBackend +
                                           "routes:\n"
                                           "  - { service: a.X, backend: one }\n"
                                           "  - service: a.B\n"
                                           "    backend: one\n"
                                           "    http_rules:\n"
                                           "      - { selector: a.B.C, get: \"/{no}\" }\n"
                                           "      - { selector: a.B.D, get: /d }\n"
                                           "      - { selector: a.B.Z, get: /z }\n");
  SnapshotBuilder builder(read);
  ConfigReport report = read.report;
  EXPECT_EQ(builder.build(report), nullptr);
  EXPECT_THAT(report.lines(),
              ElementsAre("c.yaml:4:16: routes[0].service: the schema of backend one has no service \"a.X\"; did you "
                          "mean a.B?",
                          testing::AllOf(HasSubstr("c.yaml:8:9: routes[1].http_rules[0]: "), HasSubstr("a.B.C")),
                          testing::AllOf(HasSubstr("c.yaml:10:9: routes[1].http_rules[2]: "), HasSubstr("a.B.Z"))));
}

TEST(SnapshotBuilder, RoutesThatClashAreBothNamed) {
  const Configuration read =
      configuration(kBackend +
                    "routes:\n"
                    "  - { service: a.B, backend: one, http_rules: [ { selector: a.B.C, get: /c }, "
                    "{ selector: a.B.D, get: /c } ] }\n");
  SnapshotBuilder builder(read);
  ConfigReport report = read.report;
  EXPECT_EQ(builder.build(report), nullptr);
  EXPECT_THAT(report.lines(),
              Contains(testing::AllOf(HasSubstr("c.yaml:4:5: "), HasSubstr("a.B.C"), HasSubstr("a.B.D"))));
}

TEST(SnapshotBuilder, ASchemaThatCannotBeReadIsToldAtItsPlace) {
  const Configuration read = configuration(
      "backends:\n  - name: one\n    replicas: [ a:1 ]\n    schema:\n"
      "      - descriptor_set: missing.pb\n      - proto: missing.proto\n"
      "routes: [ { service: a.B, backend: one } ]");
  SnapshotBuilder builder(read);
  ConfigReport report = read.report;
  EXPECT_EQ(builder.build(report), nullptr);
  EXPECT_THAT(report.lines(),
              ElementsAre(testing::AllOf(HasSubstr("c.yaml:6:9: backends[0].schema[0]"), HasSubstr("missing.pb")),
                          testing::AllOf(HasSubstr("c.yaml:7:9: backends[0].schema[1]"), HasSubstr("missing.proto"))));
}

TEST(SnapshotBuilder, ARouteWaitsForItsReflectedSchema) {
  const Configuration read = configuration(kReflected + "routes: [ { service: a.B, backend: one } ]");
  SnapshotBuilder builder(read);
  ConfigReport report("c.yaml");
  EXPECT_TRUE(builder.wants_reflection(0));
  SnapshotPtr snapshot = builder.build(report);
  ASSERT_NE(snapshot, nullptr);
  EXPECT_THAT(labels(*snapshot), ElementsAre());
  EXPECT_THAT(builder.missing(), ElementsAre(HasSubstr("still to be reflected")));
  EXPECT_EQ(status_of(*snapshot, "/a.B/C"), 503);

  builder.set_reflected(0, {proto_as_set(), "reflection of a:1"});
  snapshot = builder.build(report);
  ASSERT_NE(snapshot, nullptr) << testing::PrintToString(report.lines());
  EXPECT_THAT(labels(*snapshot), testing::UnorderedElementsAre("POST /a.B/C", "POST /a.B/D"));
  EXPECT_THAT(builder.missing(), ElementsAre());
}

TEST(SnapshotBuilder, AServiceThatReflectionDoesNotTellOfLeavesItsRouteOut) {
  const Configuration read = configuration(kReflected + "routes: [ { service: a.Other, backend: one } ]");
  SnapshotBuilder builder(read);
  builder.set_reflected(0, {proto_as_set(), "reflection of a:1"});
  ConfigReport report("c.yaml");
  const SnapshotPtr snapshot = builder.build(report);
  ASSERT_NE(snapshot, nullptr);
  EXPECT_THAT(builder.missing(), ElementsAre(HasSubstr("do not tell of service a.Other")));
  EXPECT_EQ(status_of(*snapshot, "/a.Other/C"), 404);
}

TEST(SnapshotBuilder, AnEventIdIsAFieldOfSomeStream) {
  const struct {
    const char* event_id;
    const char* complaint;
  } cases[] = {
      {"n", nullptr},
      {"inner.text", nullptr},
      {"nothing", "nothing"},
      {"inner", "the field is not a single string, integer, bool or enum"},
  };
  for (const auto& row : cases) {
    std::ofstream(temp_folder() + "s.proto") << R"(syntax = "proto3"; package s;
      message In { string text = 1; } message Out { int32 n = 1; In inner = 2; }
      service S { rpc One(In) returns (In); rpc Many(In) returns (stream Out); })";
    const Configuration read = configuration(
        "backends: [ { name: one, schema: [ { proto: s.proto } ], replicas: [ a:1 ] } ]\n"
        "routes: [ { service: s.S, backend: one, stream: { event_id: " + std::string(row.event_id) + " } } ]");
    SnapshotBuilder builder(read);
    ConfigReport report("c.yaml");
    EXPECT_EQ(builder.build(report) != nullptr, row.complaint == nullptr) << row.event_id;
    if (row.complaint != nullptr) {
      EXPECT_THAT(report.lines(), ElementsAre(testing::AllOf(HasSubstr("routes[0].stream.event_id: "), HasSubstr(row.complaint))));
    }
  }
}

}  // namespace
}  // namespace transom
