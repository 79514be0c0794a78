#include "backend/retrying_call.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "backend/backend_bench.h"
#include "support/fake_replica.h"

namespace transom {
namespace {

FakeScript refusing_script() {
  FakeScript script;
  script.on_head = [](FakeStream& stream) { stream.reset(7); };
  return script;
}

// Two replicas: the first follows the script, the second echoes.
struct TwoReplicas {
  explicit TwoReplicas(FakeScript script, ChannelLimits limits = {})
      : first(loop, {}, std::move(script)), second(loop, {}, echo_script()), bench(loop, with(limits)) {
    EXPECT_TRUE(bench.run_until_up());
  }
  BackendOptions with(const ChannelLimits& limits) const {
    BackendOptions options = backend_options({first.address(), second.address()});
    options.limits = limits;
    options.policy = Policy::RoundRobin;  // the first call goes to the first replica
    return options;
  }

  Loop loop;
  FakeReplica first;
  FakeReplica second;
  BackendBench bench;
  CallRecord call;
};

TEST(RetryingCall, ARefusedCallIsSentWholeToAnotherReplica) {
  for (size_t size : {10, 60'000, 900'000}) {
    TwoReplicas test(refusing_script());
    test.bench.start(test.call);
    std::string message = grpc_message(std::string(size, 'm'));
    test.bench.send(test.call, message.substr(0, 7), false);
    test.bench.send(test.call, message.substr(7));
    EXPECT_TRUE(test.bench.run([&] { return test.call.has_ended(); }));
    EXPECT_TRUE(test.call.end.status.ok()) << test.call.end.status.message;
    EXPECT_TRUE(test.call.received == message);
    EXPECT_EQ(test.call.end.replica, test.second.address());
    EXPECT_EQ(test.call.call->replica(), test.second.address());
    EXPECT_EQ(test.call.ends, 1);
    ASSERT_EQ(test.bench.record.retries.size(), 1U);
    EXPECT_TRUE(test.bench.record.retries[0].starts_with(test.first.address()));
    EXPECT_EQ(test.bench.state->in_flight(0), 0);
    EXPECT_EQ(test.bench.state->in_flight(1), 0);
    EXPECT_EQ(test.bench.record.begun, test.bench.record.ended);
    EXPECT_EQ(test.bench.account.held_bytes(), 0U);
  }
}

TEST(RetryingCall, ACallWhoseBytesAreNoLongerHeldIsNotSentAgain) {
  FakeScript script;
  script.on_end = [](FakeStream& stream) { stream.reset(7); };
  ChannelLimits limits;
  limits.retry_buffer = 1000;
  TwoReplicas test(std::move(script), limits);
  test.bench.start(test.call);
  test.bench.send(test.call, grpc_message(std::string(2000, 'm')));
  EXPECT_TRUE(test.bench.run([&] { return test.call.has_ended(); }));
  EXPECT_EQ(test.call.end.status.code, Code::Unavailable);
  EXPECT_EQ(test.call.end.sent, Sent::Refused);
  EXPECT_EQ(test.second.streams_made(), 0U);
}

TEST(RetryingCall, OnlyWhatWasProvablyNotProcessedIsSentAgain) {
  struct Case {
    const char* name;
    std::function<void(FakeStream&)> answer;
  };
  for (const Case& c : std::vector<Case>{
           {"UNAVAILABLE from the service",
            [](FakeStream& s) {
              s.send_only({{":status", "200"}, {"content-type", "application/grpc"}, {"grpc-status", "14"}});
            }},
           {"503",
            [](FakeStream& s) {
              s.send_only({{":status", "503"}});
            }},
           {"INTERNAL_ERROR", [](FakeStream& s) { s.reset(2); }},
           {"CANCEL", [](FakeStream& s) { s.reset(8); }},
           {"refused after a head", [](FakeStream& s) {
              s.send_head(grpc_head());
              s.send_bytes("x");
            }}}) {
    FakeScript script;
    script.on_end = c.answer;
    TwoReplicas test(std::move(script));
    test.bench.start(test.call);
    test.bench.send(test.call, grpc_message("x"));
    if (std::string(c.name) == "refused after a head") {
      ASSERT_TRUE(test.bench.run([&] { return !test.call.received.empty(); }));
      test.first.goaway(0, 0);
    }
    EXPECT_TRUE(test.bench.run([&] { return test.call.has_ended(); })) << c.name;
    EXPECT_FALSE(test.call.end.status.ok());
    EXPECT_EQ(test.call.end.sent, Sent::Maybe) << c.name;
    EXPECT_TRUE(test.bench.record.retries.empty()) << c.name;
    EXPECT_EQ(test.second.streams_made(), 0U);
  }
}

TEST(RetryingCall, ACallAboveTheLastStreamOfGoawayGoesToAnotherReplica) {
  TwoReplicas test({});
  test.bench.start(test.call);
  test.bench.send(test.call, grpc_message("x"));
  ASSERT_TRUE(test.bench.run([&] { return test.first.streams_open() == 1; }));
  test.first.goaway(0, 0);
  EXPECT_TRUE(test.bench.run([&] { return test.call.has_ended(); }));
  EXPECT_TRUE(test.call.end.status.ok()) << test.call.end.status.message;
  EXPECT_EQ(test.call.end.replica, test.second.address());
}

TEST(RetryingCall, ALoneReplicaThatRefusedIsAskedOnceMore) {
  Loop loop;
  FakeReplica replica(loop, {}, refusing_script());
  BackendBench bench(loop, backend_options({replica.address()}));
  ASSERT_TRUE(bench.run_until_up());
  CallRecord call;
  bench.start(call);
  bench.send(call, grpc_message("x"));
  EXPECT_TRUE(bench.run([&] { return call.has_ended(); }));
  EXPECT_EQ(call.end.status.code, Code::Unavailable);
  EXPECT_EQ(call.end.sent, Sent::Refused);
  EXPECT_EQ(replica.streams_made(), 2U);
}

TEST(RetryingCall, TriesNoMoreOftenThanThereAreReplicas) {
  Loop loop;
  FakeReplica a(loop, {}, refusing_script());
  FakeReplica b(loop, {}, refusing_script());
  FakeReplica c(loop, {}, refusing_script());
  BackendBench bench(loop, backend_options({a.address(), b.address(), c.address()}));
  ASSERT_TRUE(bench.run_until_up());
  CallRecord call;
  bench.start(call);
  bench.send(call, grpc_message("x"));
  EXPECT_TRUE(bench.run([&] { return call.has_ended(); }));
  EXPECT_EQ(call.end.status.code, Code::Unavailable);
  EXPECT_EQ(std::vector<size_t>({a.streams_made(), b.streams_made(), c.streams_made()}),
            std::vector<size_t>({1, 1, 1}));
}

TEST(RetryingCall, EndsAtItsDeadlineWhereverItIs) {
  // In a replica that does not answer.
  TwoReplicas test({});
  test.bench.start(test.call, "/a/b", Clock::now() + std::chrono::milliseconds(30));
  test.bench.send(test.call, grpc_message("x"));
  EXPECT_TRUE(test.bench.run([&] { return test.call.has_ended(); }));
  EXPECT_EQ(test.call.end.status.code, Code::DeadlineExceeded);
  EXPECT_EQ(test.call.end.status.fault, Fault::Proxy);
  EXPECT_EQ(test.call.end.sent, Sent::Maybe);
  EXPECT_EQ(test.call.end.replica, test.first.address());
  EXPECT_LE(test.call.call->left_at(), test.loop.now());
  EXPECT_TRUE(test.bench.run([&] { return !test.first.resets().empty(); }));
  EXPECT_EQ(test.first.resets()[0], 8U);
  EXPECT_EQ(test.bench.record.codes, std::vector<Code>{Code::DeadlineExceeded});

  // Waiting for a replica that does not come up.
  Loop loop;
  FakeOptions mute;
  mute.says_settings = false;
  FakeReplica replica(loop, mute, {});
  BackendBench bench(loop, backend_options({replica.address()}));
  CallRecord waiting;
  bench.start(waiting, "/a/b", Clock::now() + std::chrono::milliseconds(30));
  EXPECT_TRUE(bench.run([&] { return waiting.has_ended(); }));
  EXPECT_EQ(waiting.end.status.code, Code::DeadlineExceeded);
  EXPECT_EQ(waiting.end.sent, Sent::No);
  EXPECT_EQ(waiting.end.replica, "");
  EXPECT_EQ(waiting.call->left_at(), TimePoint::max());

  // Already over.
  CallRecord late;
  test.bench.start(late, "/a/b", Clock::now() - std::chrono::milliseconds(1));
  EXPECT_TRUE(test.bench.run([&] { return late.has_ended(); }));
  EXPECT_EQ(late.end.status.code, Code::DeadlineExceeded);
  EXPECT_FALSE(late.is_inside);
  EXPECT_EQ(late.end.sent, Sent::No);
}

TEST(RetryingCall, CallsNotYetWrittenSurviveTheDeathOfTheirReplica) {
  FakeOptions narrow;
  narrow.streams_max = 5;
  Loop loop;
  FakeReplica dying(loop, narrow, {});
  FakeReplica living(loop, {}, echo_script());
  BackendOptions options = backend_options({dying.address(), living.address()});
  options.policy = Policy::RoundRobin;
  options.limits.channels_per_replica = 1;
  BackendBench bench(loop, options);
  ASSERT_TRUE(bench.run_until_up());
  std::vector<std::unique_ptr<CallRecord>> calls;
  for (int i = 0; i < 200; ++i) {
    calls.push_back(std::make_unique<CallRecord>());
    bench.start(*calls.back());
    bench.send(*calls.back(), grpc_message(std::string(10'000, 'x')));
  }
  ASSERT_TRUE(bench.run([&] { return dying.streams_open() == 5; }));
  dying.kill();
  int failed = 0;
  for (auto& call : calls) {
    ASSERT_TRUE(bench.run([&] { return call->has_ended(); }));
    EXPECT_EQ(call->ends, 1);
    if (!call->end.status.ok()) {
      EXPECT_EQ(call->end.status.code, Code::Unavailable);
      ++failed;
    }
  }
  EXPECT_EQ(failed, 5);
  EXPECT_EQ(bench.record.retries.size(), 95U);
  EXPECT_EQ(bench.state->in_flight(0), 0);
  EXPECT_EQ(bench.state->in_flight(1), 0);
}

}  // namespace
}  // namespace transom
