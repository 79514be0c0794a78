#include "backend/channel.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "backend/backend_bench.h"
#include "support/fake_replica.h"

namespace transom {
namespace {

TEST(Channel, OpensWhenSettingsCame) {
  Loop loop;
  FakeOptions fake;
  fake.says_settings = false;
  FakeReplica replica(loop, fake, echo_script());
  BackendOptions options = backend_options({replica.address()});
  options.limits.connect_timeout = std::chrono::milliseconds(100);
  BackendBench bench(loop, options);
  ASSERT_TRUE(bench.run([&] { return replica.sessions_open() == 1; }));
  EXPECT_FALSE(bench.state->is_up(0));
  ASSERT_TRUE(bench.run([&] { return !bench.record.failures.empty(); }));
  EXPECT_NE(bench.record.failures[0].find("SETTINGS"), std::string::npos) << bench.record.failures[0];
  EXPECT_TRUE(bench.run([&] { return replica.sessions_open() == 0; }));
}

TEST(Channel, NeverOpensMoreStreamsThanTheReplicaAllows) {
  Loop loop;
  FakeOptions fake;
  fake.streams_max = 3;
  std::vector<FakeStream*> open;
  FakeScript script;
  script.on_end = [&](FakeStream& stream) { open.push_back(&stream); };
  FakeReplica replica(loop, fake, std::move(script));
  BackendOptions options = backend_options({replica.address()});
  options.limits.channels_per_replica = 1;
  BackendBench bench(loop, options);
  ASSERT_TRUE(bench.run_until_up());
  std::vector<std::unique_ptr<CallRecord>> calls;
  for (int i = 0; i < 20; ++i) {
    calls.push_back(std::make_unique<CallRecord>());
    bench.start(*calls.back());
    bench.send(*calls.back(), grpc_message("x"));
  }
  size_t done = 0;
  while (done < 20) {
    ASSERT_TRUE(bench.run([&] { return open.size() == std::min<size_t>(3, 20 - done); }));
    for (FakeStream* stream : open) {
      stream->send_head(grpc_head());
      stream->finish({{"grpc-status", "0"}});
      ++done;
    }
    open.clear();
  }
  ASSERT_TRUE(bench.run([&] { return calls.back()->has_ended(); }));
  EXPECT_EQ(replica.streams_open_max(), 3U);
  for (auto& call : calls) {
    EXPECT_TRUE(call->end.status.ok());
  }
}

TEST(Channel, FinishesOpenCallsAfterGoawayAndTakesNoNewOnes) {
  Loop loop;
  std::vector<FakeStream*> open;
  FakeScript script;
  script.on_end = [&](FakeStream& stream) { open.push_back(&stream); };
  FakeReplica replica(loop, {}, std::move(script));
  BackendBench bench(loop, backend_options({replica.address()}));
  ASSERT_TRUE(bench.run_until_up());
  CallRecord before;
  bench.start(before);
  bench.send(before, grpc_message("x"));
  ASSERT_TRUE(bench.run([&] { return open.size() == 1; }));
  replica.goaway(1, 0);
  ASSERT_TRUE(bench.run([&] { return bench.record.ups.size() >= 2; }));
  CallRecord after;
  bench.start(after);
  bench.send(after, grpc_message("y"));
  ASSERT_TRUE(bench.run([&] { return open.size() == 2; }));
  EXPECT_EQ(open[1]->id(), 1);  // the first of a new session
  EXPECT_EQ(replica.sessions_made(), 2U);
  for (FakeStream* stream : open) {
    stream->send_head(grpc_head());
    stream->finish({{"grpc-status", "0"}});
  }
  EXPECT_TRUE(bench.run([&] { return before.has_ended() && after.has_ended() && replica.sessions_open() == 1; }));
  EXPECT_TRUE(before.end.status.ok());
  EXPECT_TRUE(after.end.status.ok());
  EXPECT_TRUE(bench.record.failures.empty());
}

TEST(Channel, ALostTransportEndsItsCallsAsUnavailable) {
  for (bool is_killed : {true, false}) {
    Loop loop;
    FakeReplica replica(loop, {}, {});
    BackendBench bench(loop, backend_options({replica.address()}));
    ASSERT_TRUE(bench.run_until_up());
    std::vector<std::unique_ptr<CallRecord>> calls;
    for (int i = 0; i < 10; ++i) {
      calls.push_back(std::make_unique<CallRecord>());
      bench.start(*calls.back());
      bench.send(*calls.back(), grpc_message("x"));
    }
    ASSERT_TRUE(bench.run([&] { return replica.streams_open() == 10; }));
    if (is_killed) {
      replica.kill();
    } else {
      replica.close_sessions();
    }
    for (auto& call : calls) {
      ASSERT_TRUE(bench.run([&] { return call->has_ended(); }));
      EXPECT_EQ(call->end.status.code, Code::Unavailable);
      EXPECT_EQ(call->end.status.fault, Fault::Replica);
      EXPECT_EQ(call->end.sent, Sent::Maybe);
      EXPECT_TRUE(call->end.status.message.starts_with("replica " + replica.address() + ": "));
    }
    EXPECT_EQ(bench.state->in_flight(0), 0);
  }
}

TEST(Channel, DiesWhenAKeepaliveIsNotAnswered) {
  Loop loop;
  FakeOptions fake;
  fake.answers_pings = false;
  FakeReplica replica(loop, fake, {});
  BackendOptions options = backend_options({replica.address()});
  options.limits.keepalive_time = std::chrono::milliseconds(20);
  options.limits.keepalive_timeout = std::chrono::milliseconds(20);
  BackendBench bench(loop, options);
  ASSERT_TRUE(bench.run_until_up());
  run_for(loop, std::chrono::milliseconds(60));
  EXPECT_EQ(replica.pings(), 0U) << "without calls no PING is sent";
  CallRecord call;
  bench.start(call);
  bench.send(call, grpc_message("x"));
  EXPECT_TRUE(bench.run([&] { return call.has_ended(); }));
  EXPECT_EQ(call.end.status.code, Code::Unavailable);
  EXPECT_NE(call.end.status.message.find("PING"), std::string::npos) << call.end.status.message;
  EXPECT_EQ(replica.pings(), 1U);
}

TEST(Channel, LivesWhileKeepalivesAreAnswered) {
  Loop loop;
  FakeReplica replica(loop, {}, {});
  BackendOptions options = backend_options({replica.address()});
  options.limits.keepalive_time = std::chrono::milliseconds(10);
  options.limits.keepalive_timeout = std::chrono::milliseconds(2000);
  BackendBench bench(loop, options);
  ASSERT_TRUE(bench.run_until_up());
  CallRecord call;
  bench.start(call);
  bench.send(call, grpc_message("x"));
  EXPECT_TRUE(bench.run([&] { return replica.pings() > 0; }));
  EXPECT_FALSE(call.has_ended());
  EXPECT_EQ(replica.sessions_made(), 1U);
}

TEST(Channel, AReplicaThatStopsReadingItsSocketHoldsNobodyElse) {
  Loop loop;
  FakeOptions stuck;
  stuck.reads = false;
  stuck.window = 1U << 30;
  FakeReplica replica(loop, stuck, {});
  FakeReplica other(loop, {}, echo_script());
  BackendOptions options = backend_options({replica.address(), other.address()});
  options.policy = Policy::RoundRobin;
  BackendBench bench(loop, options);
  ASSERT_TRUE(bench.run_until_up());
  CallRecord call;
  bench.start(call, "/a/b", Clock::now() + std::chrono::seconds(2));
  ASSERT_EQ(call.call->replica(), replica.address());
  constexpr size_t kBytes = 64 * kMiB;
  bench.send(call, std::string(kBytes, 'x'));
  run_for(loop, std::chrono::milliseconds(100));
  EXPECT_GT(call.call->buffered(), kBytes / 2);
  EXPECT_LE(bench.account.held_bytes(), kBytes + kMiB);
  CallRecord quick;
  bench.start(quick);
  bench.send(quick, grpc_message("x"));
  EXPECT_TRUE(bench.run([&] { return quick.has_ended(); }));
  EXPECT_TRUE(quick.end.status.ok());
  EXPECT_TRUE(bench.run([&] { return call.has_ended(); }));
  EXPECT_EQ(call.end.status.code, Code::DeadlineExceeded);
  call.call.reset();
  run_for(loop, std::chrono::milliseconds(5));
  EXPECT_LE(bench.account.held_bytes(), kMiB);
}

TEST(Channel, ABigBodyIsWrittenInBoundedPieces) {
  Loop loop;
  FakeOptions fake;
  fake.window = 20U << 20;
  std::string body;
  FakeScript script;
  script.on_end = [&](FakeStream& stream) {
    body = stream.body();
    stream.send_head(grpc_head());
    stream.finish({{"grpc-status", "0"}});
  };
  FakeReplica replica(loop, fake, std::move(script));
  BackendBench bench(loop, backend_options({replica.address()}));
  ASSERT_TRUE(bench.run_until_up());
  CallRecord call;
  bench.start(call);
  std::string sent = grpc_message(std::string(10 * kMiB, 'b'));
  bench.send(call, sent);
  EXPECT_TRUE(bench.run([&] { return call.has_ended(); }, std::chrono::seconds(60)));
  EXPECT_TRUE(call.end.status.ok()) << call.end.status.message;
  EXPECT_TRUE(body == sent);
  EXPECT_EQ(bench.account.held_bytes(), 0U);
}

}  // namespace
}  // namespace transom
