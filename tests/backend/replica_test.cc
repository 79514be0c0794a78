#include "backend/replica.h"

#include <gtest/gtest.h>

#include "backend/backend_bench.h"
#include "support/fake_replica.h"

namespace transom {
namespace {

TEST(Replica, ComesBackWithinItsBackoffAfterItWasKilled) {
  Loop loop;
  FakeReplica replica(loop, {}, echo_script());
  BackendOptions options = backend_options({replica.address()});
  options.limits.backoff_min = std::chrono::milliseconds(50);
  BackendBench bench(loop, options);
  ASSERT_TRUE(bench.run_until_up());
  replica.kill();
  ASSERT_TRUE(bench.run([&] { return !bench.state->is_up(0) && bench.record.failures.size() >= 3; }));
  EXPECT_NE(bench.record.failures[1].find("refused"), std::string::npos) << bench.record.failures[1];
  replica.listen();
  ASSERT_TRUE(bench.run_until_up());
  EXPECT_EQ(bench.record.ups,
            (std::vector<std::string>{"+" + replica.address(), "-" + replica.address(), "+" + replica.address()}));
  CallRecord call;
  bench.start(call);
  bench.send(call, grpc_message("x"));
  EXPECT_TRUE(bench.run([&] { return call.has_ended(); }));
  EXPECT_TRUE(call.end.status.ok());
}

TEST(Replica, OneThatAnotherWorkerHasReachedIsTriedAtOnce) {
  Loop loop;
  FakeReplica replica(loop, {}, echo_script());
  BackendOptions options = backend_options({replica.address()});
  options.limits.backoff_min = std::chrono::seconds(300);
  options.limits.backoff_max = std::chrono::seconds(300);
  BackendBench bench(loop, options);
  ASSERT_TRUE(bench.run_until_up());
  replica.kill();
  ASSERT_TRUE(bench.run([&] { return !bench.state->is_up(0) && bench.record.failures.size() >= 2; }));
  replica.listen();
  bench.backend->try_now(0);
  // A call that comes meanwhile waits for the attempt.
  CallRecord call;
  bench.start(call);
  bench.send(call, grpc_message("x"));
  EXPECT_TRUE(bench.run([&] { return call.has_ended(); }));
  EXPECT_TRUE(call.end.status.ok()) << call.end.status.message;
  bench.backend->try_now(0);
  run_for(loop, std::chrono::milliseconds(50));
  EXPECT_EQ(replica.sessions_made(), 2U) << "one that is up is left alone";
}

TEST(Replica, ALostIdleChannelIsReplacedAtOnce) {
  Loop loop;
  FakeReplica replica(loop, {}, echo_script());
  BackendOptions options = backend_options({replica.address()});
  options.limits.backoff_min = std::chrono::milliseconds(30);
  BackendBench bench(loop, options);
  ASSERT_TRUE(bench.run_until_up());
  run_for(loop, std::chrono::milliseconds(40));
  replica.close_sessions();
  // A call that comes meanwhile waits for the new channel.
  ASSERT_TRUE(bench.run([&] { return bench.record.ups.size() >= 2; }));
  CallRecord call;
  bench.start(call);
  bench.send(call, grpc_message("x"));
  EXPECT_TRUE(bench.run([&] { return call.has_ended(); }));
  EXPECT_TRUE(call.end.status.ok()) << call.end.status.message;
  EXPECT_EQ(replica.sessions_made(), 2U);
}

TEST(Replica, OneThatClosesAtOnceIsNotTriedInARush) {
  Loop loop;
  FakeReplica replica(loop, {}, {});
  BackendBench bench(loop, backend_options({replica.address()}));
  ASSERT_TRUE(bench.run_until_up());
  for (int i = 0; i < 20; ++i) {
    replica.close_sessions();
    run_for(loop, std::chrono::milliseconds(5));
  }
  EXPECT_EQ(replica.sessions_made(), 2U);
}

TEST(Replica, OpensMoreChannelsWhenOneIsFullAndThenLetsCallsWait) {
  Loop loop;
  FakeOptions fake;
  fake.streams_max = 10;
  FakeScript script;
  std::vector<FakeStream*> held;
  bool holds = true;
  script.on_end = [&](FakeStream& stream) {
    if (holds) {
      held.push_back(&stream);
      return;
    }
    echo_script().on_end(stream);
  };
  FakeReplica replica(loop, fake, std::move(script));
  BackendBench bench(loop, backend_options({replica.address()}));
  ASSERT_TRUE(bench.run_until_up());
  std::vector<std::unique_ptr<CallRecord>> calls;
  for (int i = 0; i < 1000; ++i) {
    calls.push_back(std::make_unique<CallRecord>());
    bench.start(*calls.back());
    bench.send(*calls.back(), grpc_message("x" + std::to_string(i)));
  }
  ASSERT_TRUE(bench.run([&] { return held.size() == 80; }));
  run_for(loop, std::chrono::milliseconds(20));
  EXPECT_EQ(held.size(), 80U);
  EXPECT_EQ(replica.sessions_open(), 8U);
  EXPECT_EQ(bench.state->in_flight(0), 1000);
  EXPECT_EQ(bench.state->waiting(), 920);
  EXPECT_EQ(bench.record.begun[replica.address()], 80) << "the others have no stream yet";
  holds = false;
  for (FakeStream* stream : held) {
    echo_script().on_end(*stream);
  }
  for (size_t i = 0; i < calls.size(); ++i) {
    ASSERT_TRUE(bench.run([&] { return calls[i]->has_ended(); }));
    EXPECT_TRUE(calls[i]->end.status.ok());
    EXPECT_EQ(calls[i]->received, grpc_message("x" + std::to_string(i)));
  }
  EXPECT_EQ(replica.streams_open_max(), 80U);
  EXPECT_EQ(bench.state->in_flight(0), 0);
  EXPECT_EQ(bench.state->waiting(), 0);
  EXPECT_EQ(bench.record.ended[replica.address()], 1000);
}

TEST(Replica, RefusesMoreWaitingCallsThanItsBound) {
  Loop loop;
  FakeOptions fake;
  fake.streams_max = 1;
  FakeReplica replica(loop, fake, {});
  BackendOptions options = backend_options({replica.address()});
  options.limits.channels_per_replica = 1;
  options.limits.waiting_calls = 2;
  BackendBench bench(loop, options);
  ASSERT_TRUE(bench.run_until_up());
  std::vector<std::unique_ptr<CallRecord>> calls;
  for (int i = 0; i < 4; ++i) {
    calls.push_back(std::make_unique<CallRecord>());
    bench.start(*calls.back());
    bench.send(*calls.back(), grpc_message("x"));
  }
  ASSERT_TRUE(bench.run([&] { return calls[3]->has_ended(); }));
  EXPECT_EQ(calls[3]->end.status.code, Code::Unavailable);
  EXPECT_NE(calls[3]->end.status.message.find("wait"), std::string::npos) << calls[3]->end.status.message;
  EXPECT_EQ(calls[3]->end.sent, Sent::No);
  EXPECT_FALSE(calls[3]->is_inside);
  EXPECT_EQ(bench.record.refused, 1);
  EXPECT_EQ(bench.state->waiting(), 2);
  EXPECT_FALSE(calls[2]->has_ended());
  EXPECT_LE(calls[0]->call->left_at(), loop.now());
  EXPECT_EQ(calls[2]->call->left_at(), TimePoint::max());
  // One that goes makes room in the line.
  calls[1]->call.reset();
  EXPECT_EQ(bench.state->waiting(), 1);
  EXPECT_EQ(bench.record.ended.size(), 0U) << "it never was the replica's";
  calls.push_back(std::make_unique<CallRecord>());
  bench.start(*calls.back());
  run_for(loop, std::chrono::milliseconds(20));
  EXPECT_FALSE(calls.back()->has_ended());
}

TEST(Replica, ABodyBehindAMebibyteOfUnsentBytesGoesByAnotherChannel) {
  Loop loop;
  FakeOptions fake;
  fake.consumes = false;  // what is sent stays unread behind the stream's window
  FakeScript script;
  std::vector<std::string> ended;
  script.on_end = [&](FakeStream& stream) {
    ended.push_back(stream.body());
    stream.send_head(grpc_head());
    stream.finish({{"grpc-status", "0"}});
  };
  FakeReplica replica(loop, fake, std::move(script));
  BackendBench bench(loop, backend_options({replica.address()}));
  ASSERT_TRUE(bench.run_until_up());
  CallRecord big;
  bench.start(big);
  bench.send(big, std::string(2 * kMiB, 'b'));
  CallRecord second;
  bench.start(second);
  ASSERT_TRUE(bench.run([&] { return replica.sessions_open() == 2; }));
  run_for(loop, std::chrono::milliseconds(10));
  CallRecord third;
  bench.start(third);
  bench.send(third, grpc_message("small"));
  EXPECT_TRUE(bench.run([&] { return third.has_ended(); }));
  EXPECT_EQ(ended, std::vector<std::string>{grpc_message("small")});
}

TEST(Replica, ClosesSurplusChannelsThatAreIdle) {
  Loop loop;
  FakeOptions fake;
  fake.streams_max = 1;
  FakeReplica replica(loop, fake, echo_script());
  BackendOptions options = backend_options({replica.address()});
  options.limits.surplus_channel_idle = std::chrono::milliseconds(30);
  BackendBench bench(loop, options);
  ASSERT_TRUE(bench.run_until_up());
  std::vector<std::unique_ptr<CallRecord>> calls;
  for (int i = 0; i < 8; ++i) {
    calls.push_back(std::make_unique<CallRecord>());
    bench.start(*calls.back());
  }
  ASSERT_TRUE(bench.run([&] { return replica.sessions_open() > 1; }));
  for (auto& call : calls) {
    bench.send(*call, grpc_message("x"));
  }
  for (auto& call : calls) {
    ASSERT_TRUE(bench.run([&] { return call->has_ended(); }));
  }
  EXPECT_TRUE(bench.run([&] { return replica.sessions_open() == 1; }));
  EXPECT_TRUE(bench.state->is_up(0));
  EXPECT_TRUE(bench.record.failures.empty());
}

// gRPC proposal A8: each GOAWAY of this kind doubles the time between PINGs.
// Starts a call, lets it reach the replica, and cancels it.
void cancel_one(BackendBench& bench, FakeReplica& replica, const std::string& path) {
  const size_t open = replica.streams_open();
  CallRecord call;
  bench.start(call, path);
  ASSERT_TRUE(bench.run([&] { return replica.streams_open() == open + 1; }));
  call.call.reset();
  ASSERT_TRUE(bench.run([&] { return replica.streams_open() == open; }));
}

TEST(Replica, AChannelThatResetTooManyCallsIsReplacedAndItsOwnCallsGoOn) {
  Loop loop;
  FakeReplica replica(loop, {}, echo_script());
  BackendOptions options = backend_options({replica.address()});
  options.limits.resets = 3;
  BackendBench bench(loop, options);
  ASSERT_TRUE(bench.run_until_up());
  CallRecord kept;
  bench.start(kept);
  ASSERT_TRUE(bench.run([&] { return replica.streams_open() == 1; }));
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(replica.sessions_made(), 1U);
    cancel_one(bench, replica, "/test.Peer/Cancelled");
  }
  // The next call takes the new channel, or waits for it.
  CallRecord next;
  bench.start(next);
  bench.send(next, grpc_message("next"));
  ASSERT_TRUE(bench.run([&] { return next.has_ended(); }));
  EXPECT_TRUE(next.end.status.ok()) << next.end.status.message;
  EXPECT_EQ(replica.sessions_made(), 2U);
  EXPECT_EQ(replica.sessions_open(), 2U);
  bench.send(kept, grpc_message("kept"));
  ASSERT_TRUE(bench.run([&] { return kept.has_ended(); }));
  EXPECT_TRUE(kept.end.status.ok()) << kept.end.status.message;
  EXPECT_TRUE(bench.run([&] { return replica.sessions_open() == 1; }));
  EXPECT_EQ(bench.record.ups, std::vector<std::string>{"+" + replica.address()});
  EXPECT_TRUE(bench.record.failures.empty()) << bench.record.failures[0];
}

TEST(Replica, NoCallFailsHoweverManyAreCancelled) {
  Loop loop;
  FakeReplica replica(loop, {}, echo_script());
  BackendOptions options = backend_options({replica.address()});
  options.limits.resets = 5;
  BackendBench bench(loop, options);
  ASSERT_TRUE(bench.run_until_up());
  for (int i = 0; i < 50; ++i) {
    cancel_one(bench, replica, "/test.Peer/Cancelled");
    CallRecord honest;
    bench.start(honest);
    bench.send(honest, grpc_message("x"));
    ASSERT_TRUE(bench.run([&] { return honest.has_ended(); }));
    ASSERT_TRUE(honest.end.status.ok()) << i << ": " << honest.end.status.message;
  }
  EXPECT_GE(replica.sessions_made(), 10U);
  EXPECT_EQ(bench.record.ups, std::vector<std::string>{"+" + replica.address()});
  EXPECT_TRUE(bench.run([&] { return replica.sessions_open() == 1; }));
}

TEST(Replica, ToldTooManyPingsItSendsFewer) {
  Loop loop;
  FakeReplica replica(loop, {}, {});
  BackendOptions options = backend_options({replica.address()});
  options.limits.keepalive_time = std::chrono::milliseconds(10);
  options.limits.backoff_min = std::chrono::milliseconds(1);
  BackendBench bench(loop, options);
  for (size_t round = 1; round <= 12; ++round) {
    ASSERT_TRUE(bench.run([&] { return bench.record.ups.size() == 2 * round - 1; }));
    replica.goaway(0, 11, "too_many_pings");
    ASSERT_TRUE(bench.run([&] { return bench.record.ups.size() >= 2 * round; }));
  }
  ASSERT_TRUE(bench.run_until_up());
  CallRecord call;
  bench.start(call);
  run_for(loop, std::chrono::milliseconds(100));
  EXPECT_EQ(replica.streams_made(), 1U);
  EXPECT_EQ(replica.pings(), 0U);
}

}  // namespace
}  // namespace transom
