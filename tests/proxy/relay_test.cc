#include "proxy/relay.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "proxy/relay_bench.h"

namespace transom {
namespace {

TEST(RelayTest, AUnaryCallGoesThereAndBack) {
  RelayBench bench;
  ASSERT_TRUE(bench.run_until_up());
  FakeExchange& exchange = bench.send("POST", "/v1/say/7", R"({"text":"hi"})", {{"x-request-id", "abc"}});
  EXPECT_EQ(exchange.consumed, 13u);
  ASSERT_TRUE(bench.run_to_end(exchange));
  EXPECT_EQ(exchange.head_said->status, 200);
  EXPECT_EQ(exchange.said, R"({"text":"hi","count":7})");
  EXPECT_EQ(exchange.head_said->content_length, static_cast<int64_t>(exchange.said.size()));
  EXPECT_EQ(exchange.header("content-type"), "application/json");
  EXPECT_EQ(exchange.header("x-request-id"), "abc");
  exchange.end();
  ASSERT_EQ(bench.seen.ended.size(), 1u);
  const SeenRequest& seen = bench.seen.ended[0];
  EXPECT_EQ(bench.seen.begun, std::vector<std::string>{"/v1/say/{count}"});
  EXPECT_EQ(seen.route, "/v1/say/{count}");
  EXPECT_EQ(seen.rpc, "demo.Demo/Say");
  EXPECT_EQ(seen.backend, "demo");
  EXPECT_EQ(seen.replica, "r1");
  EXPECT_EQ(seen.request_id, "abc");
  EXPECT_EQ(seen.client, "10.0.0.9");
  EXPECT_EQ(seen.http_status, 200);
  EXPECT_EQ(seen.grpc_status, 0);
  EXPECT_EQ(seen.bytes_in, 13u);
  EXPECT_EQ(seen.bytes_out, exchange.said.size());
}

TEST(RelayTest, ARequestWithoutABodyIsMadeOfItsBindings) {
  RelayBench bench;
  ASSERT_TRUE(bench.run_until_up());
  FakeExchange& exchange = bench.send("GET", "/v1/say/7?text=a%20b", "");
  ASSERT_TRUE(bench.run_to_end(exchange));
  EXPECT_EQ(exchange.said, R"({"text":"a b","count":7})");
}

TEST(RelayTest, TheReplicaSeesMetadataDeadlineAndRequestId) {
  Fields head;
  RelayBench bench(at_end([&](FakeStream& stream) {
    head = stream.head();
    stream.send_only({{":status", "200"}, {"content-type", "application/grpc"}, {"grpc-status", "0"}});
  }));
  ASSERT_TRUE(bench.run_until_up());
  FakeExchange& exchange = bench.send("GET", "/v1/say/7", "",
                                      {{"x_tag", "1"}, {"grpc-timeout", "5S"}, {"connection", "close"}, {"te", "x"}});
  ASSERT_TRUE(bench.run_to_end(exchange));
  EXPECT_EQ(head.find(":path"), "/demo.Demo/Say");
  EXPECT_EQ(head.find("x_tag"), "1");
  EXPECT_EQ(head.find("te"), "trailers");
  EXPECT_EQ(head.find("x-forwarded-for"), "10.0.0.9");
  EXPECT_EQ(head.find("x-request-id"), exchange.header("x-request-id"));
  EXPECT_FALSE(head.find("connection").has_value());
  const std::string timeout(head.find("grpc-timeout").value_or(""));
  EXPECT_FALSE(timeout.empty());
  EXPECT_NE(timeout, "5S");  // some of it is gone already
  EXPECT_EQ(exchange.head_said->status, 500);  // a unary call without a message
}

TEST(RelayTest, AReplicasMetadataAndTrailersAreHeadersOfAUnaryAnswer) {
  RelayBench bench(at_end([](FakeStream& stream) {
    FieldList head = grpc_head();
    head.emplace_back("x-model", "3");
    head.emplace_back("grpc-accept-encoding", "gzip");
    stream.send_head(head);
    stream.send_bytes(grpc_message(text_wire("hi")));
    stream.finish({{"grpc-status", "0"}, {"x-took", "9"}, {"x-took", "10"}});
  }));
  ASSERT_TRUE(bench.run_until_up());
  FakeExchange& exchange = bench.send("GET", "/v1/say/7", "");
  ASSERT_TRUE(bench.run_to_end(exchange));
  std::vector<std::string> names;
  for (const Field field : exchange.head_said->fields) {
    names.emplace_back(field.name);
  }
  EXPECT_EQ(names, (std::vector<std::string>{"content-type", "x-request-id", "x-model", "x-took", "x-took"}));
}

TEST(RelayTest, ErrorsHaveOneShapeWhoeverMakesThem) {
  const struct {
    std::string method;
    std::string target;
    std::string body;
    FieldList fields;
    int http_status;
    int code;
    std::string route;
  } cases[] = {
      {"GET", "/nowhere", "", {}, 404, 5, ""},
      {"DELETE", "/v1/say/7", "", {}, 405, 12, "/v1/say/{count}"},
      {"GET", "/v1/say/x", "", {}, 400, 3, "/v1/say/{count}"},
      {"POST", "/v1/say/7", "{", {}, 400, 3, "/v1/say/{count}"},
      {"POST", "/v1/say/7", "{}", {{"content-type", "text/plain"}}, 415, 3, "/v1/say/{count}"},
      {"POST", "/v1/say/7", "{}", {{"content-encoding", "gzip"}}, 415, 3, "/v1/say/{count}"},
      {"POST", "/v1/say/7", std::string(2000, ' ') + "{}", {}, 413, 8, "/v1/say/{count}"},
      {"GET", "/v1/say/7", "", {{"grpc-timeout", "1s"}}, 400, 3, "/v1/say/{count}"},
      {"GET", "/v1/say/7", "", {{"grpc-timeout", "0S"}}, 504, 4, "/v1/say/{count}"},
      {"GET", "/v1/say/7", "", {{"x-request-timeout-seconds", "x"}}, 400, 3, "/v1/say/{count}"},
      {"GET", "/v1/say/7", "", {{"a-bin", "!"}}, 400, 3, "/v1/say/{count}"},
  };
  RelayBench bench;
  bench.snapshot.limits.request_body = 1000;
  bench.reuse();
  ASSERT_TRUE(bench.run_until_up());
  for (const auto& row : cases) {
    FakeExchange& exchange = bench.send(row.method, row.target, row.body, row.fields);
    ASSERT_TRUE(exchange.has_ended()) << row.target;
    EXPECT_EQ(exchange.head_said->status, row.http_status) << row.target;
    EXPECT_EQ(exchange.header("content-type"), "application/json");
    EXPECT_TRUE(is_request_id(exchange.header("x-request-id")));
    EXPECT_EQ(exchange.said.rfind("{\"code\":" + std::to_string(row.code) + ",\"message\":\"", 0), 0u) << exchange.said;
    exchange.end();
    EXPECT_EQ(bench.seen.ended.back().http_status, row.http_status);
    EXPECT_EQ(bench.seen.ended.back().grpc_status, row.code);
    EXPECT_EQ(bench.seen.ended.back().route, row.route);
  }
  EXPECT_EQ(bench.replica.streams_made(), 0u);
}

TEST(RelayTest, MethodsOfAPathAreToldInAllow) {
  RelayBench bench;
  FakeExchange& wrong = bench.send("DELETE", "/v1/say/7", "");
  EXPECT_NE(wrong.header("allow").find("GET"), std::string::npos);
  FakeExchange& options = bench.send("OPTIONS", "/v1/say/7", "");
  EXPECT_EQ(options.head_said->status, 204);
  EXPECT_EQ(options.header("allow"), wrong.header("allow"));
  EXPECT_TRUE(options.said.empty());
  FakeExchange& unknown = bench.send("OPTIONS", "/nowhere", "");
  EXPECT_EQ(unknown.head_said->status, 404);
}

TEST(RelayTest, HeadRunsAUnaryCallButNoStream) {
  RelayBench bench;
  ASSERT_TRUE(bench.run_until_up());
  FakeExchange& unary = bench.send("HEAD", "/v1/say/7", "");
  ASSERT_TRUE(bench.run_to_end(unary));
  EXPECT_EQ(unary.head_said->status, 200);
  EXPECT_EQ(unary.head_said->content_length, 11);  // of {"count":7}
  EXPECT_EQ(bench.replica.streams_made(), 1u);
  FakeExchange& stream = bench.send("HEAD", "/v1/tell", "", {{"accept", "text/event-stream"}});
  ASSERT_TRUE(stream.has_ended());
  EXPECT_EQ(stream.header("content-type"), "text/event-stream");
  EXPECT_EQ(stream.head_said->content_length, -1) << "GET's is not known (RFC 9110 section 8.6)";
  EXPECT_EQ(bench.replica.streams_made(), 1u);
}

TEST(RelayTest, StreamedMessagesLeaveOneByOne) {
  FakeStream* replica_stream = nullptr;
  RelayBench bench(at_end([&](FakeStream& stream) {
    replica_stream = &stream;
    stream.send_head(grpc_head());
    stream.send_bytes(grpc_message(text_wire("one")));
  }));
  ASSERT_TRUE(bench.run_until_up());
  FakeExchange& exchange = bench.send("GET", "/v1/tell", "", {{"te", "trailers"}});
  ASSERT_TRUE(run_until(bench.loop, [&] { return !exchange.said.empty(); }));
  EXPECT_EQ(exchange.said, "{\"text\":\"one\"}\n");
  EXPECT_EQ(exchange.head_said->content_length, -1);
  replica_stream->send_bytes(grpc_message(text_wire("two")));
  replica_stream->finish({{"grpc-status", "0"}, {"x-took", "9"}});
  ASSERT_TRUE(bench.run_to_end(exchange));
  EXPECT_EQ(exchange.pieces, (std::vector<std::string>{"{\"text\":\"one\"}\n", "{\"text\":\"two\"}\n"}));
  EXPECT_EQ(exchange.trailers.find("x-took"), "9");
}

TEST(RelayTest, AStreamsTrailersAreForClientsThatSaySo) {
  RelayBench bench(at_end([](FakeStream& stream) {
    stream.send_head(grpc_head());
    stream.send_bytes(grpc_message(text_wire("one")));
    stream.finish({{"grpc-status", "0"}, {"x-took", "9"}});
  }));
  ASSERT_TRUE(bench.run_until_up());
  FakeExchange& exchange = bench.send("GET", "/v1/tell", "");
  ASSERT_TRUE(bench.run_to_end(exchange));
  EXPECT_TRUE(exchange.trailers.empty());
}

TEST(RelayTest, ASlowReaderStopsItsReplica) {
  FakeStream* replica_stream = nullptr;
  RelayBench bench(at_end([&](FakeStream& stream) {
    replica_stream = &stream;
    stream.send_head(grpc_head());
    for (int i = 0; i < 400; ++i) {
      stream.send_bytes(grpc_message(text_wire(std::string(10'000, 'x'))));  // 4 MB in all
    }
    stream.finish({{"grpc-status", "0"}});
  }));
  ASSERT_TRUE(bench.run_until_up());
  FakeExchange& exchange = bench.open("GET", "/v1/tell", false);
  exchange.drains_at_once = false;
  exchange.begin(bench.acceptor);
  ASSERT_TRUE(run_until(bench.loop, [&] { return exchange.buffered() > 64 * kKiB; }));
  run_for(bench.loop, std::chrono::milliseconds(50));
  EXPECT_LT(exchange.buffered(), 200 * kKiB);
  EXPECT_GT(replica_stream->unsent(), size_t{2} << 20);
  ASSERT_TRUE(run_until(bench.loop, [&] {
    if (!exchange.has_ended()) {
      exchange.drain();
    }
    return exchange.has_ended();
  }));
  EXPECT_GT(exchange.said.size(), 4'000'000u);
  EXPECT_TRUE(exchange.is_finished);
}

TEST(RelayTest, LargeBodiesAreConvertedOnThePoolInOrder) {
  RelayBench bench;
  ASSERT_TRUE(bench.run_until_up());
  const std::string text(300'000, 'y');
  FakeExchange& exchange = bench.send("POST", "/v1/say/7", "{\"text\":\"" + text + "\"}");
  EXPECT_FALSE(exchange.has_ended());
  EXPECT_EQ(bench.replica.streams_made(), 0u);
  ASSERT_TRUE(bench.run_to_end(exchange));
  EXPECT_EQ(exchange.said, "{\"text\":\"" + text + "\",\"count\":7}");
  exchange.end();
  run_for(bench.loop, std::chrono::milliseconds(20));
  EXPECT_EQ(bench.account.held_bytes(), 0u);
}

TEST(RelayTest, ADeadlineEndsACallAndADribblingBody) {
  RelayBench bench(FakeScript{});
  ASSERT_TRUE(bench.run_until_up());
  FakeExchange& call = bench.send("GET", "/v1/say/7", "", {{"grpc-timeout", "30m"}});
  ASSERT_TRUE(bench.run_to_end(call));
  EXPECT_EQ(call.head_said->status, 504);

  FakeExchange& body = bench.open("POST", "/v1/say/7", true, {{"grpc-timeout", "30m"}});
  body.begin(bench.acceptor);
  body.send_body("{");
  body.send_body("\"");
  ASSERT_TRUE(bench.run_to_end(body));
  EXPECT_EQ(body.head_said->status, 504);
  EXPECT_EQ(body.said.rfind("{\"code\":4", 0), 0u);
}

TEST(RelayTest, LargeBodiesAreShedWhenMemoryIsTightAndAllWhenItIsSpent) {
  RelayBench bench(echo_script(), size_t{1} << 20);
  ASSERT_TRUE(bench.run_until_up());
  const std::string large(100'000, ' ');
  Charge others(&bench.account);
  others.set(800'000);
  FakeExchange& declared = bench.send("POST", "/v1/say/7", large + "{}");
  EXPECT_EQ(declared.head_said->status, 503);
  FakeExchange& grown = bench.open("POST", "/v1/say/7", true);
  grown.begin(bench.acceptor);
  grown.send_body(large.substr(0, 50'000));
  EXPECT_FALSE(grown.has_ended());
  grown.send_body(large.substr(0, 50'000));
  EXPECT_EQ(grown.head_said->status, 503);
  FakeExchange& small = bench.send("POST", "/v1/say/7", "{}");
  EXPECT_TRUE(bench.run_to_end(small));
  EXPECT_EQ(small.head_said->status, 200);
  others.set(1'030'000);
  FakeExchange& any = bench.send("GET", "/v1/say/7", "");
  EXPECT_EQ(any.head_said->status, 503);
  EXPECT_EQ(bench.seen.shed, (std::vector<std::string>{"demo:memory", "demo:memory", ":memory"}));
}

TEST(RelayTest, APausedBodyIsNotConsumedUntilMemoryIsThere) {
  RelayBench bench(echo_script(), size_t{10} << 20);
  ASSERT_TRUE(bench.run_until_up());
  FakeExchange& exchange = bench.open("POST", "/v1/say/7", true);
  exchange.request.content_length = 200'002;
  exchange.begin(bench.acceptor);
  exchange.send_body(std::string(50'000, ' '));
  EXPECT_EQ(exchange.consumed, 50'000u);
  Charge others(&bench.account);
  others.set(size_t{9} << 20);
  exchange.send_body(std::string(50'000, ' '));
  EXPECT_EQ(exchange.consumed, 50'000u);
  others.set(0);
  ASSERT_TRUE(run_until(bench.loop, [&] { return exchange.consumed == 100'000u; }));
  exchange.send_body(std::string(100'000, ' ') + "{}");
  exchange.end_body();
  ASSERT_TRUE(bench.run_to_end(exchange));
  EXPECT_EQ(exchange.head_said->status, 200);
}

// Without te: trailers: a gRPC client reads them whatever it says.
const FieldList kGrpc = {{"content-type", "application/grpc"}};

TEST(RelayTest, GrpcGoesThroughUntouched) {
  RelayBench bench(at_end([](FakeStream& stream) {
    FieldList head = grpc_head();
    head.emplace_back("grpc-encoding", "gzip");
    stream.send_head(head);
    stream.send_bytes(stream.body());
    stream.finish({{"grpc-status", "0"}, {"x-took-bin", "AAE"}});
  }));
  ASSERT_TRUE(bench.run_until_up());
  for (const std::string target : {"/demo.Demo/Say", "/any.Service/Method"}) {
    const std::string bytes("\1\0\0\0\3zip", 8);
    FakeExchange& exchange = bench.send("POST", target, bytes, kGrpc);
    ASSERT_TRUE(bench.run_to_end(exchange));
    EXPECT_EQ(exchange.head_said->status, 200);
    EXPECT_EQ(exchange.header("content-type"), "application/grpc");
    EXPECT_EQ(exchange.header("grpc-encoding"), "gzip");
    EXPECT_EQ(exchange.said, bytes);
    EXPECT_EQ(exchange.trailers.find("grpc-status"), "0");
    EXPECT_EQ(exchange.trailers.find("x-took-bin"), "AAE");
    exchange.end();
    EXPECT_EQ(bench.seen.ended.back().protocol, ProtocolLabel::Grpc);
    EXPECT_EQ(bench.seen.ended.back().route, target == "/demo.Demo/Say" ? target : "*");
  }
}

TEST(RelayTest, MessagesAreCompressedForABackendThatSaysSoAndThoseOfGrpcClientsPass) {
  Fields head;
  std::string body;
  RelayBench bench(at_end([&](FakeStream& stream) {
    head = stream.head();
    body = stream.body();
    stream.send_only({{":status", "200"}, {"content-type", "application/grpc"}, {"grpc-status", "5"}});
  }));
  ASSERT_TRUE(bench.run_until_up());
  bench.snapshot.backends[0].gzip_at_least = 10;
  bench.reuse();
  const std::string text(100, 'x');
  ASSERT_TRUE(bench.run_to_end(bench.send("POST", "/v1/tell", "{\"text\":\"" + text + "\"}")));
  EXPECT_EQ(head.find("grpc-encoding"), "gzip");
  EXPECT_EQ(head.find("grpc-accept-encoding"), "identity,deflate,gzip");
  ASSERT_GT(body.size(), 5u);
  EXPECT_EQ(body[0], 1);
  EXPECT_EQ(body.substr(5, 2), "\x1f\x8b");
  EXPECT_LT(body.size(), 100u);

  ASSERT_TRUE(bench.run_to_end(bench.send("POST", "/demo.Demo/Tell", grpc_message(text_wire(text)), kGrpc)));
  EXPECT_EQ(body, grpc_message(text_wire(text)));
  EXPECT_FALSE(head.find("grpc-encoding").has_value());
  EXPECT_FALSE(head.find("grpc-accept-encoding").has_value()) << "what the client reads is the client's to say";
}

TEST(RelayTest, GrpcErrorsAreTrailersOnly) {
  RelayBench bench(at_end([](FakeStream& stream) {
    stream.send_only({{":status", "200"}, {"content-type", "application/grpc"}, {"grpc-status", "5"},
                      {"grpc-message", "no%20model"}, {"x-more", "1"}});
  }));
  ASSERT_TRUE(bench.run_until_up());
  FakeExchange& theirs = bench.send("POST", "/demo.Demo/Say", grpc_message(""), kGrpc);
  ASSERT_TRUE(bench.run_to_end(theirs));
  FieldList malformed = kGrpc;
  malformed.emplace_back("grpc-timeout", "soon");
  FakeExchange& ours = bench.send("POST", "/demo.Demo/Say", grpc_message(""), malformed);
  ASSERT_TRUE(ours.has_ended());
  EXPECT_EQ(theirs.header("grpc-status"), "5");
  EXPECT_EQ(theirs.header("grpc-message"), "no model");
  EXPECT_EQ(theirs.header("x-more"), "1");
  EXPECT_EQ(ours.header("grpc-status"), "3");
  for (FakeExchange* exchange : {&theirs, &ours}) {
    EXPECT_EQ(exchange->head_said->status, 200);
    EXPECT_TRUE(exchange->trailers.empty());
    EXPECT_TRUE(exchange->said.empty());
  }
}

TEST(RelayTest, AGrpcSenderIsHeldByASlowReplica) {
  FakeScript script;
  RelayBench bench(std::move(script));
  ASSERT_TRUE(bench.run_until_up());
  FakeExchange& exchange = bench.open("POST", "/any.Service/Method", true, kGrpc);
  exchange.begin(bench.acceptor);
  size_t sent = 0;
  // A client that keeps to its window of 64 KiB, against a replica that takes everything in but grants little at once.
  ASSERT_TRUE(run_until(bench.loop, [&] {
    while (sent - exchange.consumed < 64 * kKiB && sent < (size_t{4} << 20)) {
      exchange.send_body(std::string(16 * kKiB, 'x'));
      sent += 16 * kKiB;
    }
    EXPECT_LE(sent - exchange.consumed, 80 * kKiB);
    return sent >= (size_t{4} << 20);
  }));
  exchange.end_body();
  EXPECT_FALSE(exchange.has_ended());
}

// A replica that tells which stream it got, and answers nothing.
FakeScript note_stream(FakeStream*& stream) {
  FakeScript script;
  script.on_head = [&stream](FakeStream& begun) { stream = &begun; };
  return script;
}

// A client's stream whose messages are still to come.
FakeExchange& begin_hear(RelayBench& bench) {
  FakeExchange& exchange = bench.open("POST", "/v1/hear", true);
  exchange.begin(bench.acceptor);
  return exchange;
}

TEST(RelayTest, AClientsStreamIsSentOnMessageByMessage) {
  FakeStream* stream = nullptr;
  RelayBench bench(note_stream(stream));
  ASSERT_TRUE(bench.run_until_up());
  FakeExchange& exchange = begin_hear(bench);
  EXPECT_TRUE(exchange.may_pause);
  exchange.send_body(R"({"text":"hi"}{"te)");
  ASSERT_TRUE(run_until(bench.loop, [&] { return stream != nullptr && stream->body() == std::string("\0\0\0\0\4", 5) + text_wire("hi"); }));
  EXPECT_EQ(exchange.consumed, 17u) << "what is not yet a message does not hold the client";
  exchange.send_body(R"(xt":5})");
  ASSERT_TRUE(exchange.has_ended());
  EXPECT_EQ(exchange.head_said->status, 400);
  EXPECT_EQ(exchange.said.rfind(R"({"code":3,"message":"message 2: text:)", 0), 0u) << exchange.said;
}

TEST(RelayTest, LargeMessagesOfAStreamAreOnTheAccountForAsLongAsTheyAreHere) {
  FakeStream* stream = nullptr;
  RelayBench bench(note_stream(stream));
  ASSERT_TRUE(bench.run_until_up());
  FakeExchange& exchange = begin_hear(bench);
  constexpr size_t kBytes = 500 * kKiB;
  const std::string message = R"({"text":")" + std::string(kBytes, 'x') + R"("})";
  exchange.send_body(message + message);
  EXPECT_GE(bench.account.held_bytes(), 2 * kBytes) << "one is at work, the other waits";
  ASSERT_TRUE(run_until(bench.loop, [&] { return stream != nullptr && stream->body().size() > 2 * kBytes; }));
  // What is left is a call's own: it could still be sent again.
  EXPECT_LE(bench.account.held_bytes(), ChannelLimits().retry_buffer);
  EXPECT_EQ(exchange.consumed, 2 * message.size());
  exchange.send_body(message);
  ASSERT_TRUE(run_until(bench.loop, [&] { return stream->body().size() > 3 * kBytes; }));
  EXPECT_LE(bench.account.held_bytes(), 64 * kKiB) << "more than can be kept";
}

}  // namespace
}  // namespace transom
