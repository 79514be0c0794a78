#include "server/explain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "server/blueprint.h"
#include "support/temp_folder.h"

namespace transom {
namespace {

using testing::HasSubstr;
using testing::Not;

const Snapshot& snapshot() {
  static const SnapshotPtr made = [] {
    const std::string folder = temp_folder();
    std::ofstream(folder + "explain_test.proto")
        << "syntax = \"proto3\"; package a; message M { string id = 1; repeated int32 n = 2; M sub = 3;"
           "map<string, string> labels = 4; string to = 5; }"
           "service B { rpc C(M) returns (M); rpc D(stream M) returns (M); }";
    std::ofstream(folder + "explain_test.yaml")
        << "listeners: [ { address: \"127.0.0.1:0\" } ]\nstate_dir: none\n"
           "backends:\n"
           "  - { name: one, schema: [ { proto: explain_test.proto } ], replicas: [ \"h:1\" ] }\n"
           "  - { name: any, replicas: [ \"h:2\" ] }\n"
           "routes:\n"
           "  - service: a.B\n"
           "    backend: one\n"
           "    http_rules:\n"
           "      - selector: a.B.C\n"
           "        get: \"/v1/{id}\"\n"
           "        additional_bindings:\n"
           "          - { post: \"/v1/{id}\", body: \"*\" }\n"
           "          - { post: \"/v1/{id}/sub:set\", body: sub }\n"
           "          - { get: \"/v1/{id=**}\" }\n"
           "      - { selector: a.B.D, post: \"/v1/{id}:collect\", body: sub }\n"
           "  - { service: a.B, backend: one, match: { hosts: [ b.test ] } }\n"
           "  - service: a.B\n"
           "    backend: one\n"
           "    match: { hosts: [ lenient.test ] }\n"
           "    http_rules: [ { selector: a.B.C, get: \"/v1/{id}\", additional_bindings: [ { put: \"/v1/{id}\", body: \"*\" } ] } ]\n"
           "    json:\n"
           "      plus_is_space: true\n"
           "      strictness: { unknown_query_key: report, bound_field: report, unused_body: report, trailing_slash: report,\n"
           "                    unknown_field: report, content_type: ignore }\n"
           "  - { service: \"*\", backend: any }\n"
           "grpc_services: { health: true }\n";
    Blueprint blueprint(folder + "explain_test.yaml");
    EXPECT_TRUE(blueprint.errors().empty()) << testing::PrintToString(blueprint.errors());
    return blueprint.snapshot();
  }();
  return *made;
}

Explanation explain(const std::string& line, const std::string& body = "", const std::vector<std::string>& headers = {}) {
  return explain_request(snapshot(), parse_request_line(line, headers, body).value());
}

TEST(Explain, TellsRouteBindingsAndMessage) {
  const Explanation got = explain("GET /v1/a%2Fb?n=4&n=5&labels[k]=v&id=c");
  EXPECT_TRUE(got.is_accepted);
  for (const char* line : {"route   GET /v1/{id} -> a.B/C one\n", "call    /a.B/C of backend one\n",
                           "field   id = \"a/b\" from the path\n", "field   n = \"4\" from the query (n)\n",
                           "field   labels[k] = \"v\" from the query (labels[k])\n",
                           "field   none from the body, which the rule does not read\n",
                           "ignored query (id): the path gives it\n",
                           "{\"id\":\"a/b\",\"n\":[4,5],\"labels\":{\"k\":\"v\"}}\n",
                           // id: 2 + 3, n: twice a packed list of one, 3, labels: 2 + 3 + 3
                           "message a.M, 19 bytes\n"}) {
    EXPECT_THAT(got.text, HasSubstr(line));
  }
}

TEST(Explain, TellsWhatTheProxyAnswersItself) {
  const Explanation got = explain("POST /grpc.health.v1.Health/Check", R"({"service": "a.B"})");
  EXPECT_THAT(got.text, HasSubstr("route   POST /grpc.health.v1.Health/Check -> grpc.health.v1.Health/Check "
                                  "(the proxy itself)\n"));
  EXPECT_THAT(got.text, HasSubstr("call    /grpc.health.v1.Health/Check of the proxy itself\n"));
  EXPECT_THAT(explain("GET /v1/a").text, Not(HasSubstr("grpc.health")));
}

TEST(Explain, TellsWhatTheBodyGives) {
  Explanation got = explain("POST /v1/x?to=y", R"({"id": "z", "sub": {"n": [1]}})");
  EXPECT_THAT(got.text, HasSubstr("field   all but the path's from the body (30 bytes)\n"));
  EXPECT_THAT(got.text, HasSubstr("ignored query (to): the body is the whole message\n"));
  EXPECT_THAT(got.text, HasSubstr("{\"sub\":{\"n\":[1]},\"id\":\"x\"}\n"));
  got = explain("POST /v1/x/sub:set?sub.to=y&to=z", R"({"n": [1]})");
  EXPECT_THAT(got.text, HasSubstr("field   sub from the body (10 bytes)\n"));
  EXPECT_THAT(got.text, HasSubstr("ignored query (sub.to): the body gives it\n"));
  EXPECT_THAT(got.text, HasSubstr("{\"sub\":{\"n\":[1]},\"id\":\"x\",\"to\":\"z\"}\n"));
}

TEST(Explain, SaysWhyTheOthersLost) {
  const Explanation got = explain("GET /v1/a");
  for (const char* line : {"  POST /v1/{id} -> a.B/C one: it answers POST, not GET\n",
                           "  POST /v1/{id}/sub:set -> a.B/C one: the path does not end in `:set`\n",
                           "  GET /v1/{id=**} -> a.B/C one: fits, but its template is less specific\n",
                           "  POST /a.B/C -> a.B/C one where host is b.test: there is no host, its match wants `b.test`\n",
                           "  POST * -> any gRPC method any: it takes gRPC calls only\n"}) {
    EXPECT_THAT(got.text, HasSubstr(line));
  }
  EXPECT_THAT(explain("POST /a.B/C", "{}", {"Host: b.test:80"}).text,
              HasSubstr("route   POST /a.B/C -> a.B/C one where host is b.test\n"));
}

TEST(Explain, TellsTheRefusal) {
  const struct {
    std::string line;
    std::string body;
    std::vector<std::string> headers;
    std::string text;
  } cases[] = {
      {"GET /nowhere", "", {}, "answer  404 (NOT_FOUND): no route for this path\n"},
      {"PUT /v1/a", "", {}, "answer  405 (UNIMPLEMENTED): this path does not answer this method\nallow   GET, HEAD, POST, OPTIONS\n"},
      {"GET /v1/a?m=1", "", {}, "answer  400 (INVALID_ARGUMENT): "},
      {"POST /v1/a", R"({"n": ["x"]})", {}, "answer  400 (INVALID_ARGUMENT): n[0]: expected a number, found a string (at byte 7)\n"},
      {"POST /v1/a", "{}", {"content-type: text/plain"}, "answer  415 (INVALID_ARGUMENT): content type text/plain is not JSON\n"},
  };
  for (const auto& each : cases) {
    const Explanation got = explain(each.line, each.body, each.headers);
    EXPECT_FALSE(got.is_accepted);
    EXPECT_THAT(got.text, HasSubstr(each.text));
    EXPECT_THAT(got.text, Not(HasSubstr("message ")));
  }
}

TEST(Explain, TellsWhatGoesIntoAStreamOfMessages) {
  const Explanation got = explain("POST /v1/x:collect?to=y&sub.to=z", "{}\n{}");
  for (const char* line : {"field   id = \"x\" from the path\n", "field   to = \"y\" from the query (to)\n",
                           "ignored query (sub.to): the body gives it\n",
                           "message one for each of the request's body, which is a stream\n"}) {
    EXPECT_THAT(got.text, HasSubstr(line));
  }
}

TEST(Explain, ReadsTheQueryAsTheRouteDoes) {
  Explanation got = explain("GET /v1/x?labels[a+b]=c+d&sub%2Eto=e+f&no+such=1", "", {"Host: lenient.test"});
  EXPECT_THAT(got.text, HasSubstr("field   labels[a b] = \"c d\" from the query (labels[a+b])\n"));
  EXPECT_THAT(got.text, HasSubstr("field   sub.to = \"e f\" from the query (sub%2Eto)\n"));
  EXPECT_THAT(got.text, HasSubstr("ignored query (no+such): it names no field\n"));
  EXPECT_THAT(got.text, Not(HasSubstr("ignored query (sub")));
  got = explain("GET /v1/x?$alt=json");
  EXPECT_THAT(got.text, HasSubstr("alt     \"json\" is the form of the answer\n"));
  EXPECT_THAT(got.text, Not(HasSubstr("ignored")));
  got = explain("GET /v1/x?labels[a+b]=c+d&%69d=y");
  EXPECT_THAT(got.text, HasSubstr("field   labels[a+b] = \"c+d\" from the query (labels[a+b])\n"));
  EXPECT_THAT(got.text, HasSubstr("ignored query (%69d): the path gives it\n"));
}

TEST(Explain, TellsWhatIsLetPassAndReported) {
  const std::vector<std::string> host = {"Host: lenient.test", "content-type: text/plain"};
  EXPECT_THAT(explain("GET /v1/x/?n=1&m=1&id=2", "{}", host).text,
              HasSubstr("report  unknown_query_key,bound_field,unused_body,trailing_slash\n"));
  EXPECT_THAT(explain("PUT /v1/x", R"({"m": 1, "id": "y"})", host).text,
              HasSubstr("report  unknown_field,bound_field\n"));
  EXPECT_THAT(explain("PUT /v1/x", "{}", host).text, Not(HasSubstr("report  ")));
  EXPECT_THAT(explain("GET /v1/x/").text, Not(HasSubstr("report  ")));
}

TEST(Explain, FollowsGrpcCalls) {
  const Explanation got = explain("POST /other.S/M", "", {"content-type: application/grpc"});
  EXPECT_THAT(got.text, HasSubstr("call    /other.S/M of backend any\nmessage is passed on as it comes\n"));
  EXPECT_THAT(got.text, HasSubstr("a gRPC call goes by its RPC's path"));
}

TEST(Explain, TakesATargetAlone) {
  EXPECT_EQ(parse_request_line("/v1/a", {}, "").value().method, "GET");
  EXPECT_EQ(parse_request_line("/v1/a", {}, "{}").value().method, "POST");
  EXPECT_EQ(parse_request_line("DELETE  /v1/a ", {"A: b ", "HOST: c"}, "").value().target, "/v1/a");
  for (const char* line : {"", "GET", "get /a", "GET a", "GET /a b", "GET http://h/a"}) {
    EXPECT_FALSE(parse_request_line(line, {}, "").ok()) << line;
  }
  EXPECT_FALSE(parse_request_line("GET /a", {"no colon"}, "").ok());
}

}  // namespace
}  // namespace transom
