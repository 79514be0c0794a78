// Behaviours 57 to 71: statuses, errors, metadata and deadlines, with a replica that says what no real server would.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/base64.h"
#include "proxy/behaviours.h"

namespace transom {
namespace {

std::vector<std::string> values_of(const Fields& fields, std::string_view name) {
  std::vector<std::string> values;
  for (const Field field : fields) {
    if (field.name == name) {
      values.emplace_back(field.value);
    }
  }
  return values;
}

TEST_F(Behaviours, N57_EveryCodeHasItsHttpStatus) {
  const std::pair<int, int> cases[] = {{1, 499},  {2, 500},  {3, 400},  {4, 504},  {5, 404},  {6, 409},
                                       {7, 403},  {8, 429},  {9, 400},  {10, 409}, {11, 400}, {12, 501},
                                       {13, 500}, {14, 503}, {15, 500}, {16, 401}, {17, 500}, {999, 500}};
  for (const auto& [code, status] : cases) {
    replica_.only = {{"grpc-status", std::to_string(code)}};
    FakeExchange& exchange = get();
    EXPECT_EQ(exchange.head_said->status, status) << code;
    EXPECT_EQ(exchange.said, "{\"code\":" + std::to_string(code) + R"(,"message":"","details":[]})");
  }
  replica_.only.clear();
  EXPECT_EQ(get().head_said->status, 200);
}

TEST_F(Behaviours, N58_AMessageIsDecodedAndTheFormIsTheConfigurations) {
  replica_.only = {{"grpc-status", "5"}, {"grpc-message", "boom %C3%A9 %25%0Ax %zz %"}};
  EXPECT_EQ(get().said, "{\"code\":5,\"message\":\"boom \xc3\xa9 %\\nx %zz %\",\"details\":[]}");
  use_errors(ErrorForm::Envelope);
  EXPECT_EQ(get().said,
            "{\"error\":{\"code\":404,\"message\":\"boom \xc3\xa9 %\\nx %zz %\",\"status\":\"NOT_FOUND\","
            "\"details\":[]}}");
  use_errors(ErrorForm::Problem);
  FakeExchange& problem = get();
  EXPECT_EQ(problem.header("content-type"), "application/problem+json");
  EXPECT_EQ(problem.said,
            "{\"type\":\"about:blank\",\"title\":\"Not Found\",\"status\":404,"
            "\"detail\":\"boom \xc3\xa9 %\\nx %zz %\",\"code\":5,\"details\":[]}");
}

TEST_F(Behaviours, N59_DetailsAreExpandedOrKept) {
  const auto piece = [](char tag, const std::string& bytes) {
    return std::string({tag, static_cast<char>(bytes.size())}) + bytes;
  };
  // google.rpc.Status{details: [Any{RetryInfo{retry_delay 1.5s}}, Any{an unknown type}]}
  const std::string delay = piece('\x0a', std::string("\x08\x01\x10\x80\xca\xb5\xee\x01", 8));
  const std::string known = piece('\x0a', "type.googleapis.com/google.rpc.RetryInfo") + piece('\x12', delay);
  const std::string unknown = piece('\x0a', "x/nobody.Knows") + piece('\x12', "\xff");
  std::string text;
  encode_base64(piece('\x1a', known) + piece('\x1a', unknown), false, text);
  replica_.only = {{"grpc-status", "14"}, {"grpc-message", "later"}, {"grpc-status-details-bin", text}};
  const std::string details = R"([{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"1.500s"},)"
                              R"({"@type":"x/nobody.Knows","value":"/w=="}])";
  EXPECT_EQ(get().said, R"({"code":14,"message":"later","details":)" + details + "}");
  use_errors(ErrorForm::Problem);
  EXPECT_NE(get().said.find("\"details\":" + details), std::string::npos);
}

TEST_F(Behaviours, N60_NoFieldOfGrpcsOwnReachesAJsonClient) {
  replica_.first = {{"grpc-accept-encoding", "gzip"}, {"grpc-encoding", "identity"}, {"x-own", "1"}};
  for (const bool fails : {false, true}) {
    replica_.last = {{"grpc-status", fails ? "9" : "0"}, {"grpc-message", "m"}, {"x-last", "2"}};
    FakeExchange& exchange = get();
    EXPECT_EQ(exchange.header("content-type"), "application/json");
    EXPECT_EQ(exchange.header("x-own"), "1");
    EXPECT_EQ(exchange.header("x-last"), "2");
    for (const Field field : exchange.head_said->fields) {
      EXPECT_FALSE(field.name.starts_with("grpc-")) << field.name;
    }
  }
}

TEST_F(Behaviours, N61_OurOwnErrorsHaveTheSameForm) {
  bench_.snapshot.limits.request_body = 1000;
  const struct {
    std::string method;
    std::string target;
    std::string body;
    FieldList fields;
    int status;
    int code;
  } cases[] = {
      {"GET", "/nowhere", "", {}, 404, 5},
      {"DELETE", "/v1/say/7", "", {}, 405, 12},
      {"GET", "/v1/say/x", "", {}, 400, 3},
      {"GET", "/v1/say/7?nope=1", "", {}, 400, 3},
      {"GET", "/v1/say/%zz", "", {}, 400, 3},
      {"POST", "/v1/say/7", "{", {}, 400, 3},
      {"POST", "/v1/say/7", "{}", {{"content-type", "text/plain"}}, 415, 3},
      {"POST", "/v1/say/7", std::string(2000, ' '), {}, 413, 8},
      {"GET", "/v1/say/7", "", {{"grpc-timeout", "0S"}}, 504, 4},
      {"GET", "/v1/say/7", "", {{"grpc-timeout", "x"}}, 400, 3},
  };
  const std::pair<ErrorForm, std::string> forms[] = {{ErrorForm::Status, "{\"code\":"},
                                                     {ErrorForm::Envelope, "{\"error\":{\"code\":"},
                                                     {ErrorForm::Problem, "{\"type\":\"about:blank\""}};
  for (const auto& [form, begin] : forms) {
    use_errors(form);
    for (const auto& row : cases) {
      FakeExchange& exchange = bench_.send(row.method, row.target, row.body, row.fields);
      ASSERT_TRUE(bench_.run_to_end(exchange)) << row.target;
      EXPECT_EQ(exchange.head_said->status, row.status) << row.target;
      EXPECT_EQ(exchange.header("content-type"), content_type_of(form));
      EXPECT_TRUE(exchange.said.starts_with(begin)) << exchange.said;
      EXPECT_EQ(exchange.header("allow"), row.status == 405 ? "GET, HEAD, POST, OPTIONS" : "");
      const int shown = form == ErrorForm::Envelope ? row.status : row.code;
      EXPECT_NE(exchange.said.find("\"code\":" + std::to_string(shown)), std::string::npos) << exchange.said;
    }
  }
}

TEST_F(Behaviours, N61_ARoutesFormHoldsFromItsPathOn) {
  bench_.snapshot.errors = ErrorForm::Status;
  bench_.snapshot.route_settings[0].errors = ErrorForm::Problem;
  bench_.reuse();
  EXPECT_EQ(get("/nowhere").header("content-type"), "application/json");
  EXPECT_EQ(get("/v1/say/x").header("content-type"), "application/problem+json");
  EXPECT_EQ(get("/v1/say/7?nope=1").header("content-type"), "application/problem+json");
  EXPECT_EQ(get("/v1/say/7", {{"grpc-timeout", "x"}}).header("content-type"), "application/problem+json");
  replica_.only = {{"grpc-status", "16"}};
  FakeExchange& unauthenticated = get();
  EXPECT_EQ(unauthenticated.header("content-type"), "application/problem+json");
  EXPECT_EQ(unauthenticated.header("www-authenticate"), "Bearer");
}

TEST_F(Behaviours, N62_AReplicaThatIsDownIs503ForUnaryAndStreamsAlike) {
  bench_.replica.kill();
  ASSERT_TRUE(run_until(bench_.loop, [&] { return !bench_.state->is_up(0); }));
  for (const char* target : {"/v1/say/7", "/v1/tell"}) {
    FakeExchange& exchange = get(target);
    EXPECT_EQ(exchange.head_said->status, 503) << target;
    EXPECT_EQ(exchange.header("content-type"), "application/json") << target;
    EXPECT_TRUE(exchange.said.starts_with("{\"code\":14,")) << exchange.said;
  }
}

TEST_F(Behaviours, N63_AMalformedTimeoutIs400AndNeverForwarded) {
  for (const char* text : {"zz", "-5S", "1", "S", "1.5S", "999999999S", "1s", "", " 1S", "1S ", "1SS", "0x1S", "+1S"}) {
    FakeExchange& exchange = get("/v1/say/7", {{"grpc-timeout", text}});
    EXPECT_EQ(exchange.head_said->status, 400) << text;
    EXPECT_TRUE(exchange.said.starts_with("{\"code\":3,")) << exchange.said;
  }
  for (const char* text : {"0S", "0n"}) {
    EXPECT_EQ(get("/v1/say/7", {{"grpc-timeout", text}}).head_said->status, 504) << text;
  }
  EXPECT_EQ(bench_.replica.streams_made(), 0u);
  for (const char* text : {"1H", "1M", "99999999S", "5000m", "5000000u", "99999999n"}) {
    EXPECT_EQ(get("/v1/say/7", {{"grpc-timeout", text}}).head_said->status, 200) << text;
    const std::string sent(replica_.head.find("grpc-timeout").value_or(""));
    EXPECT_TRUE(!sent.empty() && sent.size() <= 9) << sent;
  }
}

TEST_F(Behaviours, N64_TheEarlierDeadlineHoldsAndEndsTheCall) {
  std::string sent;
  RelayBench bench(at_end([&](FakeStream& stream) { sent = stream.head().find("grpc-timeout").value_or(""); }));
  ASSERT_TRUE(bench.run_until_up());
  bench.snapshot.backends[0].timeout = std::chrono::seconds(20);
  bench.reuse();
  FakeExchange& client = bench.send("GET", "/v1/say/7", "", {{"grpc-timeout", "50m"}});
  ASSERT_TRUE(bench.run_to_end(client));
  EXPECT_EQ(client.head_said->status, 504);
  EXPECT_TRUE(client.said.starts_with("{\"code\":4,"));
  EXPECT_TRUE(sent.ends_with("u") || sent.ends_with("n") || sent.ends_with("m")) << sent;
  bench.snapshot.backends[0].timeout = std::chrono::milliseconds(50);
  bench.reuse();
  FakeExchange& backend = bench.send("GET", "/v1/say/7", "", {{"grpc-timeout", "20S"}});
  ASSERT_TRUE(bench.run_to_end(backend));
  EXPECT_EQ(backend.head_said->status, 504);
  EXPECT_TRUE(run_until(bench.loop, [&] { return bench.replica.resets().size() == 2; }));
  EXPECT_EQ(bench.replica.resets(), (std::vector<uint32_t>{8, 8}));  // CANCEL
}

TEST_F(Behaviours, N65_BinaryMetadataIsCheckedSplitAndWrittenAnew) {
  const struct {
    const char* text;
    std::vector<std::string> sent;  // none: 400
  } cases[] = {
      {"AP8=", {"AP8"}},
      {"AP8", {"AP8"}},
      {"AAE,AAI", {"AAE", "AAI"}},
      {"AAE=, AAI=", {"AAE", "AAI"}},
      {"", {""}},
      {"!!", {}},
      {"AAE,!", {}},
      {"A", {}},
      {"AAE=AAI", {}},
  };
  for (const auto& row : cases) {
    const size_t calls = bench_.replica.streams_made();
    FakeExchange& exchange = get("/v1/say/7", {{"x-foo-bin", row.text}});
    EXPECT_EQ(exchange.head_said->status, row.sent.empty() ? 400 : 200) << row.text;
    if (row.sent.empty()) {
      EXPECT_EQ(bench_.replica.streams_made(), calls) << row.text;
      EXPECT_NE(exchange.said.find("x-foo-bin"), std::string::npos) << exchange.said;
    } else {
      EXPECT_EQ(values_of(replica_.head, "x-foo-bin"), row.sent) << row.text;
    }
  }
  get("/v1/say/7", {{"x-foo-bin", "AAE"}, {"x-foo-bin", "AAI,AAM"}});
  EXPECT_EQ(values_of(replica_.head, "x-foo-bin"), (std::vector<std::string>{"AAE", "AAI", "AAM"}));
  replica_.first = {{"x-back-bin", "AP8"}};
  EXPECT_EQ(get().header("x-back-bin"), "AP8");
}

TEST_F(Behaviours, N66_FieldsOfOneHopStayOnTheirHop) {
  get("/v1/say/7", {{"connection", "x-hop, close"},
                    {"x-hop", "1"},
                    {"keep-alive", "1"},
                    {"proxy-connection", "x"},
                    {"te", "gzip"},
                    {"transfer-encoding", "chunked"},
                    {"upgrade", "h2c"},
                    {"content-length", "5"},
                    {"host", "h"},
                    {"expect", "100-continue"},
                    {"trailer", "x"},
                    {"x-end", "kept"}});
  for (const char* name : {"connection", "x-hop", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade",
                           "content-length", "host", "expect", "trailer"}) {
    EXPECT_FALSE(replica_.head.find(name).has_value()) << name;
  }
  EXPECT_EQ(values_of(replica_.head, "te"), std::vector<std::string>{"trailers"});
  EXPECT_EQ(replica_.head.find("x-end"), "kept");
}

TEST_F(Behaviours, N67_NamesThatGrpcReservesAreNoMetadata) {
  get("/v1/say/7", {{"grpc-status", "3"},
                    {"grpc-encoding", "br"},
                    {"grpc-message-type", "x"},
                    {"grpc-accept-encoding", "br"},
                    {"grpc-message", "x"},
                    {"grpc-tags-bin", "AA"},
                    {":path", "/evil"},
                    {"content-type", "application/json"}});
  for (const Field field : replica_.head) {
    EXPECT_TRUE(!field.name.starts_with("grpc-") || field.name == "grpc-timeout" ||
                (field.name == "grpc-accept-encoding" && field.value != "br"))
        << field.name << ": " << field.value;
  }
  EXPECT_EQ(values_of(replica_.head, ":path"), std::vector<std::string>{"/demo.Demo/Say"});
  EXPECT_EQ(values_of(replica_.head, "content-type"), std::vector<std::string>{"application/grpc"});
  // And what a replica sends ahead is not the call's status.
  replica_.first = {{"grpc-status", "3"}, {"grpc-message", "early"}};
  EXPECT_EQ(get().head_said->status, 200);
}

TEST_F(Behaviours, N68_RepeatedKeysStayRepeated) {
  get("/v1/say/7", {{"foo", "1"}, {"bar", "x"}, {"foo", "2"}});
  EXPECT_EQ(values_of(replica_.head, "foo"), (std::vector<std::string>{"1", "2"}));
  replica_.first = {{"foo", "1"}, {"foo", "2"}};
  replica_.last = {{"grpc-status", "0"}, {"foo", "3"}};
  EXPECT_EQ(values_of(get().head_said->fields, "foo"), (std::vector<std::string>{"1", "2", "3"}));
}

TEST_F(Behaviours, N69_TheTargetIsNoMetadata) {
  const std::string text(28 * 1024, 'q');
  FakeExchange& exchange = get("/v1/say/7?text=" + text);
  EXPECT_EQ(exchange.head_said->status, 200);
  size_t bytes = 0;
  for (const Field field : replica_.head) {
    bytes += field.name.size() + field.value.size();
  }
  EXPECT_LT(bytes, 1024u);
}

TEST_F(Behaviours, N70_AClientThatGoesCancelsItsCall) {
  RelayBench bench(FakeScript{});
  ASSERT_TRUE(bench.run_until_up());
  for (const char* target : {"/v1/say/7", "/v1/tell"}) {
    const size_t before = bench.replica.resets().size();
    FakeExchange& exchange = bench.send("GET", target, "");
    ASSERT_TRUE(run_until(bench.loop, [&] { return bench.replica.streams_open() == 1; })) << target;
    exchange.end(client_error(Code::Cancelled, "the client went"));
    ASSERT_TRUE(run_until(bench.loop, [&] { return bench.replica.resets().size() > before; })) << target;
    EXPECT_EQ(bench.replica.resets().back(), 8u) << target;
    EXPECT_EQ(bench.seen.ended.back().http_status, 499);
  }
}

TEST_F(Behaviours, N71_AResetHasItsCode) {
  uint32_t h2_error = 0;
  RelayBench bench(at_end([&](FakeStream& stream) { stream.reset(h2_error); }));
  ASSERT_TRUE(bench.run_until_up());
  const struct {
    uint32_t h2_error;
    int code;
    int status;
  } cases[] = {{0, 13, 500}, {1, 13, 500}, {2, 13, 500}, {3, 13, 500}, {5, 13, 500}, {6, 13, 500},
               {7, 14, 503}, {8, 1, 499},  {9, 13, 500}, {11, 8, 429}, {12, 7, 403}, {13, 13, 500}};
  for (const auto& row : cases) {
    h2_error = row.h2_error;
    FakeExchange& exchange = bench.send("GET", "/v1/say/7", "");
    ASSERT_TRUE(bench.run_to_end(exchange)) << row.h2_error;
    EXPECT_EQ(exchange.head_said->status, row.status) << row.h2_error;
    EXPECT_TRUE(exchange.said.starts_with("{\"code\":" + std::to_string(row.code) + ",")) << exchange.said;
  }
}

TEST_F(Behaviours, TrailingMetadataIsHeadersOfAUnaryAnswerAndTrailersOfAStream) {
  replica_.last = {{"grpc-status", "0"}, {"x-took", "9"}};
  FakeExchange& unary = get();
  EXPECT_EQ(unary.header("x-took"), "9");
  EXPECT_TRUE(unary.trailers.empty());
  FakeExchange& stream = get("/v1/tell", {{"te", "trailers"}});
  EXPECT_EQ(stream.header("x-took"), "");
  EXPECT_EQ(stream.trailers.find("x-took"), "9");
  EXPECT_TRUE(get("/v1/tell").trailers.empty()) << "for who does not say that it reads them";
}

}  // namespace
}  // namespace transom
