#include "backend/replica_set.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "backend/backend_bench.h"
#include "support/fake_replica.h"

namespace transom {
namespace {

TEST(ReplicaSet, FailsAtOnceWithEveryReasonWhenNoneIsUp) {
  Loop loop;
  FakeReplica gone(loop, {}, {});
  std::string refusing = gone.address();
  gone.kill();
  BackendBench bench(loop, backend_options({refusing, "unix:/nonexistent/p.sock"}));
  ASSERT_TRUE(bench.run([&] { return bench.record.failures.size() >= 2; }));
  CallRecord call;
  bench.start(call);
  bench.send(call, grpc_message("x"));
  EXPECT_FALSE(call.has_ended());
  ASSERT_TRUE(bench.run([&] { return call.has_ended(); }, std::chrono::milliseconds(500)));
  EXPECT_EQ(call.end.status.code, Code::Unavailable);
  EXPECT_EQ(call.end.sent, Sent::No);
  EXPECT_FALSE(call.is_inside);
  const std::string& message = call.end.status.message;
  EXPECT_TRUE(message.starts_with("no replica of backend iris is up: ")) << message;
  EXPECT_NE(message.find(refusing), std::string::npos) << message;
  EXPECT_NE(message.find("refused"), std::string::npos) << message;
  EXPECT_NE(message.find("/nonexistent/p.sock"), std::string::npos) << message;
}

TEST(ReplicaSet, ACallWaitsForTheFirstAttempt) {
  Loop loop;
  FakeReplica replica(loop, {}, echo_script());
  BackendBench bench(loop, backend_options({replica.address()}));
  CallRecord call;
  bench.start(call);
  EXPECT_EQ(call.call->replica(), "");
  EXPECT_EQ(bench.state->waiting(), 1);
  EXPECT_EQ(call.call->send(grpc_message("early"), true), 10U);
  ASSERT_TRUE(bench.run([&] { return call.has_ended(); }));
  EXPECT_TRUE(call.end.status.ok()) << call.end.status.message;
  EXPECT_EQ(call.received, grpc_message("early"));
  EXPECT_EQ(bench.state->waiting(), 0);
}

TEST(ReplicaSet, AWaitingCallFailsWhenTheLastHopeIsGone) {
  Loop loop;
  FakeOptions mute;
  mute.says_settings = false;
  FakeReplica replica(loop, mute, {});
  BackendBench bench(loop, backend_options({replica.address()}));
  CallRecord call;
  CallRecord cancelled;
  bench.start(call);
  bench.start(cancelled);
  EXPECT_EQ(bench.state->waiting(), 2);
  cancelled.call.reset();
  EXPECT_EQ(bench.state->waiting(), 1);
  ASSERT_TRUE(bench.run([&] { return replica.sessions_open() == 1; }));
  EXPECT_FALSE(call.has_ended());
  replica.kill();
  ASSERT_TRUE(bench.run([&] { return call.has_ended(); }));
  EXPECT_EQ(call.end.status.code, Code::Unavailable);
  EXPECT_EQ(bench.state->waiting(), 0);
}

TEST(ReplicaSet, RefusesMoreCallsThanMayWaitForAReplica) {
  Loop loop;
  FakeOptions mute;
  mute.says_settings = false;
  FakeReplica replica(loop, mute, {});
  BackendOptions options = backend_options({replica.address()});
  options.limits.waiting_calls = 1;
  BackendBench bench(loop, options);
  CallRecord waits;
  CallRecord refused;
  bench.start(waits);
  bench.start(refused);
  ASSERT_TRUE(bench.run([&] { return refused.has_ended(); }));
  EXPECT_NE(refused.end.status.message.find("too many calls wait for a replica of backend iris"), std::string::npos);
  EXPECT_EQ(bench.record.refused, 1);
  EXPECT_EQ(bench.state->waiting(), 1);
  EXPECT_FALSE(waits.has_ended());
}

TEST(ReplicaSet, LeastRequestGoesAroundABusyReplica) {
  Loop loop;
  FakeReplica busy(loop, {}, {});
  FakeReplica quick(loop, {}, echo_script());
  BackendBench bench(loop, backend_options({busy.address(), quick.address()}));
  ASSERT_TRUE(bench.run_until_up());
  std::vector<std::unique_ptr<CallRecord>> calls;
  for (int i = 0; i < 50; ++i) {
    calls.push_back(std::make_unique<CallRecord>());
    CallRecord& call = *calls.back();
    bench.start(call);
    bench.send(call, grpc_message("x"));
    bench.run([&] { return call.has_ended() || call.call->replica() == busy.address(); });
  }
  run_for(loop, std::chrono::milliseconds(10));
  EXPECT_LE(busy.streams_made(), 2U);
  EXPECT_GE(quick.streams_made(), 48U);
}

TEST(ReplicaSet, TellsUpAndCountsInFlight) {
  Loop loop;
  FakeReplica replica(loop, {}, {});
  BackendBench bench(loop, backend_options({replica.address()}));
  EXPECT_FALSE(bench.state->any_up());
  ASSERT_TRUE(bench.run_until_up());
  EXPECT_TRUE(bench.state->any_up());
  EXPECT_EQ(bench.backend->name(), "iris");
  {
    CallRecord call;
    bench.start(call);
    EXPECT_EQ(bench.state->in_flight(0), 1);
  }
  EXPECT_EQ(bench.state->in_flight(0), 0);
  bench.backend.reset();
  EXPECT_FALSE(bench.state->any_up());
}

TEST(ReplicaSet, ReachesAReplicaOnAUnixSocket) {
  Loop loop;
  FakeOptions fake;
  fake.unix_path = testing::TempDir() + "replica-" + std::to_string(getpid()) + ".sock";
  std::string authority;
  FakeScript script = echo_script();
  script.on_head = [&](FakeStream& stream) { authority = stream.head().find(":authority").value_or(""); };
  FakeReplica replica(loop, fake, std::move(script));
  BackendBench bench(loop, backend_options({replica.address()}));
  ASSERT_TRUE(bench.run_until_up());
  CallRecord call;
  bench.start(call);
  bench.send(call, grpc_message("x"));
  ASSERT_TRUE(bench.run([&] { return call.has_ended(); }));
  EXPECT_TRUE(call.end.status.ok()) << call.end.status.message;
  EXPECT_EQ(authority, "localhost");
}

// Two replicas on a thread of their own.
struct ReplicaThread {
  ReplicaThread() : thread([this] { run(); }) {
    while (!is_ready) {
      std::this_thread::yield();
    }
  }
  ~ReplicaThread() {
    is_over = true;
    thread.join();
  }
  void run() {
    Loop loop;
    FakeReplica first(loop, {}, echo_script());
    FakeReplica second(loop, {}, echo_script());
    options = backend_options({first.address(), second.address()});
    is_ready = true;
    run_until(
        loop, [&] { return is_over.load(); }, std::chrono::minutes(2));
    streams = {first.streams_made(), second.streams_made()};
  }

  BackendOptions options;
  std::vector<size_t> streams;
  std::atomic<bool> is_ready{false};
  std::atomic<bool> is_over{false};
  std::thread thread;
};

void make_calls(const BackendOptions& options, const std::shared_ptr<BackendState>& state, MemoryAccount& account) {
  Loop loop;
  auto backend = Backend::make(loop, options, state, &account, nullptr);
  backend->open();
  for (int round = 0; round < 20; ++round) {
    std::vector<std::unique_ptr<CallRecord>> calls;
    for (int i = 0; i < 50; ++i) {
      calls.push_back(std::make_unique<CallRecord>());
      calls.back()->call = backend->start({.path = "/test.Peer/Echo"}, *calls.back());
      calls.back()->call->send(grpc_message("x"), true);
    }
    for (auto& call : calls) {
      EXPECT_TRUE(run_until(loop, [&] { return call->has_ended(); }));
      EXPECT_TRUE(call->end.status.ok()) << call->end.status.message;
    }
  }
}

TEST(ReplicaSet, TwoWorkersShareOneState) {
  auto replicas = std::make_unique<ReplicaThread>();
  auto state = BackendState::make(replicas->options);
  std::atomic<int> ups{0};
  state->set_on_up([&](size_t) { ++ups; });
  MemoryAccount account(size_t{1} << 30);
  std::thread other([&] { make_calls(replicas->options, state, account); });
  make_calls(replicas->options, state, account);
  other.join();
  EXPECT_EQ(state->in_flight(0), 0);
  EXPECT_EQ(state->in_flight(1), 0);
  EXPECT_FALSE(state->any_up());
  EXPECT_EQ(ups, 4);
  EXPECT_EQ(account.held_bytes(), 0U);
}

}  // namespace
}  // namespace transom
