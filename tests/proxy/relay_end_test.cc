#include "proxy/relay.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "proxy/relay_bench.h"

namespace transom {
namespace {

// Answers every call at its end with that script.
FakeScript at_end(std::function<void(FakeStream&)> answer) {
  FakeScript script;
  script.on_end = std::move(answer);
  return script;
}

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

TEST(RelayEndTest, AReplicasErrorIsMappedWithItsMessage) {
  RelayBench bench(at_end([](FakeStream& stream) {
    stream.send_only({{":status", "200"}, {"content-type", "application/grpc"}, {"grpc-status", "9"},
                      {"grpc-message", "not 100%25 ready"}, {"retry-after", "3"}});
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
