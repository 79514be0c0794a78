#include "server/summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "support/temp_folder.h"

namespace transom {
namespace {

using testing::HasSubstr;

std::string put_configuration() {
  const std::string folder = temp_folder();
  std::ofstream(folder + "s.proto") << "syntax = \"proto3\"; package a; message M { string text = 1; }"
                                       "service B { rpc C(M) returns (M); rpc D(M) returns (M); }";
  std::ofstream(folder + "summary_test.yaml")
      << "listeners: [ { address: \"127.0.0.1:8080\" } ]\n"
         "admin: { address: \"127.0.0.1:9901\" }\n"
         "workers: 2\n"
         "limits: { memory: 64MiB }\n"
         "state_dir: none\n"
         "backends:\n"
         "  - { name: one, schema: [ { proto: s.proto } ], replicas: [ \"h:1\", \"h:2\" ] }\n"
         "  - { name: two, schema: [ { reflection: true } ], replicas: [ \"h:3\" ] }\n"
         "  - { name: any, replicas: [ \"h:4\" ] }\n"
         "routes:\n"
         "  - service: a.B\n"
         "    backend: one\n"
         "    match: { path_prefix: /p }\n"
         "    http_rules: [ { selector: a.B.C, get: \"/c/{text}\" } ]\n"
         "  - { service: a.B, backend: one, match: { hosts: [ b.test, \"*.A.test\" ], headers: { X-Who: me } } }\n"
         "  - { service: a.B, backend: one, match: { headers: { x-b: \"2\", x-a: \"1\" } } }\n"
         "  - { service: \"*\", backend: any }\n"
         "  - { service: \"*\", backend: any, match: { path_prefix: /x } }\n";
  return folder + "summary_test.yaml";
}

TEST(Summary, TellsWhatWouldBeServed) {
  Blueprint blueprint(put_configuration());
  ASSERT_TRUE(blueprint.errors().empty()) << testing::PrintToString(blueprint.errors());
  const std::string text = summary_of(blueprint);
  for (const char* line :
       {"listener 127.0.0.1:8080\n", "admin 127.0.0.1:9901\n", "2 workers, memory budget 64 MiB\n",
        "backend one: 2 replicas (h:1, h:2), schema with 2 methods\n",
        "backend two: 1 replica (h:3), schema by reflection, unchecked: there is no copy of it yet\n",
        "backend any: 1 replica (h:4), no schema\n", "answers itself: nothing\n", "8 routes\n"}) {
    EXPECT_THAT(text, HasSubstr(line));
  }
}

TEST(Summary, ARouteIsALine) {
  Blueprint blueprint(put_configuration());
  ASSERT_TRUE(blueprint.errors().empty());
  const std::string lines = route_lines(*blueprint.snapshot()->router);
  EXPECT_THAT(lines, HasSubstr("GET /p/c/{text} -> a.B/C one\n"));
  EXPECT_THAT(lines, HasSubstr("POST /p/a.B/D -> a.B/D one\n"));
  EXPECT_THAT(lines, HasSubstr("POST * -> any gRPC method any\n"));
  EXPECT_THAT(lines, HasSubstr("POST /x/* -> any gRPC method any\n"));
}

TEST(Summary, RoutesThatMatchAloneTellsApartAreNotTheSameLine) {
  Blueprint blueprint(put_configuration());
  ASSERT_TRUE(blueprint.errors().empty());
  const std::string lines = route_lines(*blueprint.snapshot()->router);
  EXPECT_THAT(lines, HasSubstr("POST /a.B/D -> a.B/D one where host is *.a.test or b.test and x-who is me\n"));
  EXPECT_THAT(lines, HasSubstr("POST /a.B/D -> a.B/D one where x-a is 1 and x-b is 2\n"));
}

}  // namespace
}  // namespace transom
