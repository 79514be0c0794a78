#include "proxy/relay.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "proxy/relay_bench.h"

namespace transom {
namespace {

TEST(RelayEndTest, ALateErrorIsToldInBandAndTheAnswerIsCut) {
  RelayBench bench(at_end([](FakeStream& stream) {
    stream.send_head(grpc_head());
    stream.send_bytes(grpc_message(text_wire("one")));
    stream.finish({{"grpc-status", "15"}, {"grpc-message", "lost"}});
  }));
  ASSERT_TRUE(bench.run_until_up());
  FakeExchange& exchange = bench.send("GET", "/v1/tell", "", {{"accept", "application/json"}});
  ASSERT_TRUE(bench.run_to_end(exchange));
  EXPECT_EQ(exchange.said, R"([{"text":"one"},{"error":{"code":15,"message":"lost","details":[]}}])");
  EXPECT_EQ(exchange.aborted, 2u);
  exchange.end();
  EXPECT_EQ(bench.seen.ended[0].http_status, 200);
  EXPECT_EQ(bench.seen.ended[0].grpc_status, 15);
}

struct Late {
  const char* target;
  FieldList fields;
  bool has_message;
};

const FieldList kGrpcFields{{"content-type", "application/grpc"}, {"te", "trailers"}};

// Code 4 for every way a client speaks, before and after the first message; never a reset for gRPC.
void check_stream_ends_late(const Late& late, const BackendSettings& settings) {
  RelayBench bench(at_end([&](FakeStream& stream) {
    if (late.has_message) {
      stream.send_head(grpc_head());
      stream.send_bytes(grpc_message(text_wire("one")));
    }
  }));
  ASSERT_TRUE(bench.run_until_up());
  bench.snapshot.backends[0] = settings;
  bench.reuse();
  const bool is_grpc = !late.fields.empty();
  FakeExchange& exchange = bench.send("POST", late.target, is_grpc ? grpc_message("") : "{}", late.fields);
  ASSERT_TRUE(bench.run_to_end(exchange));
  if (is_grpc) {
    EXPECT_EQ(exchange.head_said->status, 200);
    EXPECT_EQ(late.has_message ? exchange.trailers.find("grpc-status") : exchange.head_said->fields.find("grpc-status"),
              "4");
    EXPECT_FALSE(exchange.aborted.has_value());
  } else {
    EXPECT_EQ(exchange.head_said->status, late.has_message ? 200 : 504);
    EXPECT_NE(exchange.said.find("\"code\":4"), std::string::npos) << exchange.said;
    EXPECT_EQ(exchange.aborted.has_value(), late.has_message);
  }
  exchange.end();
  EXPECT_EQ(bench.seen.ended[0].grpc_status, 4);
  EXPECT_TRUE(run_until(bench.loop, [&] { return bench.replica.resets() == std::vector<uint32_t>{8}; }));
}

TEST(RelayEndTest, AStreamEndsByEitherOfItsTimeoutsWithCode4) {
  using std::chrono::milliseconds;
  BackendSettings whole{.name = "demo", .stream_timeout = milliseconds(40)};
  BackendSettings idle{.name = "demo", .stream_idle_timeout = milliseconds(40)};
  for (const char* target : {"/v1/tell", "/demo.Demo/Tell", "/any.Service/Method"}) {
    for (bool has_message : {false, true}) {
      SCOPED_TRACE(std::string(target) + (has_message ? " after" : " before"));
      const Late late{target, target[1] == 'v' ? FieldList{} : kGrpcFields, has_message};
      check_stream_ends_late(late, whole);
      check_stream_ends_late(late, idle);
    }
  }
}

TEST(RelayEndTest, TheTimeoutsOfStreamsAreNotThoseOfUnaryCalls) {
  RelayBench bench(FakeScript{});
  ASSERT_TRUE(bench.run_until_up());
  bench.snapshot.backends[0].stream_timeout = std::chrono::milliseconds(5);
  bench.snapshot.backends[0].stream_idle_timeout = std::chrono::milliseconds(5);
  bench.reuse();
  FakeExchange& json = bench.send("GET", "/v1/say/7", "");
  FakeExchange& grpc = bench.send("POST", "/demo.Demo/Say", grpc_message(""), kGrpcFields);
  run_for(bench.loop, std::chrono::milliseconds(50));
  EXPECT_FALSE(json.has_ended());
  EXPECT_FALSE(grpc.has_ended());
}

TEST(RelayEndTest, AClientThatGoesCancelsItsCall) {
  RelayBench bench(FakeScript{});  // never answers
  ASSERT_TRUE(bench.run_until_up());
  FakeExchange& exchange = bench.send("GET", "/v1/say/7", "");
  ASSERT_TRUE(run_until(bench.loop, [&] { return bench.replica.streams_open() == 1; }));
  exchange.end(client_error(Code::Cancelled, "the client went"));
  exchange.drop_handler();
  ASSERT_TRUE(run_until(bench.loop, [&] { return bench.replica.resets().size() == 1; }));
  EXPECT_EQ(bench.replica.resets()[0], 8u);  // CANCEL
  EXPECT_EQ(bench.seen.ended[0].http_status, 499);
  EXPECT_EQ(bench.seen.ended[0].grpc_status, 1);
}

// One turn of the loop, in which that happens first.
void turn(Loop& loop, const std::function<void()>& action) {
  Timer now(loop, [&] {
    action();
    loop.stop();
  });
  now.start({});
  loop.run();
}

TEST(RelayEndTest, ACancelLeavesInTheTurnInWhichTheClientWent) {
  for (const char* target : {"/v1/tell", "/demo.Demo/Say", "/any.Service/Method"}) {
    RelayBench bench(FakeScript{});
    ASSERT_TRUE(bench.run_until_up());
    const bool is_json = target[1] == 'v';
    FakeExchange& exchange =
        bench.send("POST", target, is_json ? "{}" : grpc_message(""), is_json ? FieldList{} : kGrpcFields);
    ASSERT_TRUE(run_until(bench.loop, [&] { return bench.replica.streams_open() == 1; }));
    turn(bench.loop, [&] {
      exchange.end(client_error(Code::Cancelled, "the client went"));
      exchange.drop_handler();
    });
    turn(bench.loop, [] {});  // the replica reads what is there
    EXPECT_EQ(bench.replica.resets(), std::vector<uint32_t>{8}) << target;
  }
}

TEST(RelayEndTest, AReplicasErrorIsMappedWithItsMessage) {
  RelayBench bench(at_end([](FakeStream& stream) {
    stream.send_only({{":status", "200"},
                      {"content-type", "application/grpc"},
                      {"grpc-status", "9"},
                      {"grpc-message", "not 100%25 ready"},
                      {"retry-after", "3"}});
  }));
  ASSERT_TRUE(bench.run_until_up());
  FakeExchange& exchange = bench.send("GET", "/v1/say/7", "");
  ASSERT_TRUE(bench.run_to_end(exchange));
  EXPECT_EQ(exchange.head_said->status, 400);
  EXPECT_EQ(exchange.said, R"({"code":9,"message":"not 100% ready","details":[]})");
  EXPECT_EQ(exchange.header("retry-after"), "3");
}

TEST(RelayEndTest, WithoutAReplicaTheAnswerIs503) {
  RelayBench bench;
  bench.replica.kill();
  FakeExchange& unary = bench.send("GET", "/v1/say/7", "");
  FakeExchange& stream = bench.send("GET", "/v1/tell", "");
  ASSERT_TRUE(bench.run_to_end(unary) && bench.run_to_end(stream));
  for (FakeExchange* exchange : {&unary, &stream}) {
    EXPECT_EQ(exchange->head_said->status, 503);
    EXPECT_EQ(exchange->said.rfind("{\"code\":14", 0), 0u);
  }
}

}  // namespace
}  // namespace transom
