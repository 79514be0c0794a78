// A Backend against real gRPC servers.
#include <gtest/gtest.h>

#include <thread>

#include "backend/backend_bench.h"
#include "support/fake_replica.h"
#include "support/grpc_predictor.h"

namespace transom {
namespace {

std::string payload(const std::string& messages, size_t index) {
  std::string_view rest = messages;
  for (size_t i = 0;; ++i) {
    if (rest.size() < 5) {
      return "";
    }
    size_t size = 0;
    for (size_t at = 1; at < 5; ++at) {
      size = size << 8 | static_cast<unsigned char>(rest[at]);
    }
    if (i == index) {
      return std::string(rest.substr(5, size));
    }
    rest.remove_prefix(std::min(rest.size(), 5 + size));
  }
}

struct RealReplica {
  explicit RealReplica(int streams_max = 0) : server(0, streams_max), bench(loop, backend_options({server.address()})) {
    EXPECT_TRUE(bench.run_until_up());
  }
  void run(const std::string& path, const std::string& message) {
    bench.start(call, path);
    bench.send(call, grpc_message(message));
    EXPECT_TRUE(bench.run([&] { return call.has_ended(); }, std::chrono::seconds(60)));
  }

  Loop loop;
  GrpcPredictor server;
  BackendBench bench;
  CallRecord call;
};

TEST(RealReplica, AnswersAUnaryCallWithMetadata) {
  RealReplica real;
  CallHead head;
  head.path = "/test.Peer/Echo";
  head.metadata.add("x-echo", "a");
  head.metadata.add("x-echo", "b");
  head.metadata.add("x-echo-late", "c");
  head.deadline = Clock::now() + std::chrono::seconds(10);
  real.call.call = real.bench.backend->start(std::move(head), real.call);
  real.bench.send(real.call, grpc_message("hello"));
  ASSERT_TRUE(real.bench.run([&] { return real.call.has_ended(); }));
  EXPECT_TRUE(real.call.end.status.ok()) << real.call.end.status.message;
  EXPECT_EQ(real.call.received, grpc_message("hello"));
  std::string echoes;
  for (const Field field : *real.call.head) {
    echoes += field.name == "x-echo" ? std::string(field.value) : "";
  }
  EXPECT_EQ(echoes, "ab");
  EXPECT_EQ(real.call.end.trailers.find("x-echo-late"), "c");
  int left_ms = std::stoi(std::string(real.call.head->find("x-timeout-ms").value_or("0")));
  EXPECT_GT(left_ms, 0);
  EXPECT_LE(left_ms, 10'000);
}

TEST(RealReplica, TellsItsErrors) {
  RealReplica real;
  real.run("/test.Peer/Fail", "x");
  EXPECT_EQ(real.call.end.status.code, Code::NotFound);
  EXPECT_EQ(real.call.end.status.message, "no model \"é\" 100%\nsorry");
  EXPECT_EQ(real.call.end.status.details, "\x08\x05");
  EXPECT_TRUE(real.call.end.trailers_only);

  CallRecord late;
  real.bench.start(late, "/test.Peer/FailLate");
  real.bench.send(late, grpc_message("x"));
  ASSERT_TRUE(real.bench.run([&] { return late.has_ended(); }));
  EXPECT_EQ(late.end.status.code, Code::FailedPrecondition);
  EXPECT_EQ(late.received, grpc_message("partial"));

  CallRecord unknown;
  real.bench.start(unknown, "/test.Peer/Nothing");
  real.bench.send(unknown, grpc_message("x"));
  ASSERT_TRUE(real.bench.run([&] { return unknown.has_ended(); }));
  EXPECT_EQ(unknown.end.status.code, Code::Unimplemented);
}

TEST(RealReplica, StreamsToTheClient) {
  RealReplica real;
  real.run("/test.Peer/Repeat", "1000 1000");
  EXPECT_TRUE(real.call.end.status.ok());
  EXPECT_EQ(real.call.received.size(), 1000U * 1005U);
}

TEST(RealReplica, StreamsBigMessagesToTheClient) {
  RealReplica real;
  real.run("/test.Peer/Repeat", "3 20000000");
  EXPECT_TRUE(real.call.end.status.ok()) << real.call.end.status.message;
  EXPECT_EQ(real.call.received.size(), 3U * 20'000'005U);
}

TEST(RealReplica, TakesAClientsStream) {
  RealReplica real;
  real.bench.start(real.call, "/test.Peer/Count");
  for (int i = 0; i < 100; ++i) {
    real.bench.send(real.call, grpc_message(std::string(50'000, 'c')), false);
    ASSERT_TRUE(real.bench.run([&] { return real.call.call->buffered() < 64 * kKiB; }));
  }
  real.bench.send(real.call, "");
  ASSERT_TRUE(real.bench.run([&] { return real.call.has_ended(); }));
  EXPECT_EQ(payload(real.call.received, 0), "5000000");
}

TEST(RealReplica, TalksBothWays) {
  RealReplica real;
  real.bench.start(real.call);
  for (int i = 0; i < 20; ++i) {
    real.bench.send(real.call, grpc_message(std::to_string(i)), false);
    ASSERT_TRUE(
        real.bench.run([&] { return payload(real.call.received, static_cast<size_t>(i)) == std::to_string(i); }));
  }
  real.bench.send(real.call, "");
  EXPECT_TRUE(real.bench.run([&] { return real.call.has_ended(); }));
  EXPECT_TRUE(real.call.end.status.ok());
}

TEST(RealReplica, SeesACancelledCall) {
  RealReplica real;
  real.bench.start(real.call, "/test.Peer/Hang");
  real.bench.send(real.call, grpc_message("x"));
  ASSERT_TRUE(real.bench.run([&] { return real.server.calls() == 1; }));
  real.call.call.reset();
  EXPECT_TRUE(real.bench.run([&] { return real.server.cancelled() == 1; }));
}

TEST(RealReplica, TheDeadlineEndsACallOnBothSides) {
  RealReplica real;
  real.bench.start(real.call, "/test.Peer/Hang", Clock::now() + std::chrono::milliseconds(100));
  real.bench.send(real.call, grpc_message("x"));
  ASSERT_TRUE(real.bench.run([&] { return real.call.has_ended(); }));
  EXPECT_EQ(real.call.end.status.code, Code::DeadlineExceeded);
  EXPECT_TRUE(real.bench.run([&] { return real.server.cancelled() == 1; }));
}

TEST(RealReplica, AReaderThatDoesNotConsumeIsNotFlooded) {
  RealReplica real;
  real.call.consumes = false;
  real.bench.start(real.call, "/test.Peer/Repeat");
  real.bench.send(real.call, grpc_message("10000 10000"));
  ASSERT_TRUE(real.bench.run([&] { return real.call.received.size() == 64 * kKiB; }));
  run_for(real.loop, std::chrono::milliseconds(100));
  EXPECT_EQ(real.call.received.size(), 64 * kKiB);
  real.call.call.reset();
  EXPECT_TRUE(real.bench.run([&] { return real.server.cancelled() == 1; }));
}

TEST(RealReplica, CarriesAThousandCallsOverTenStreams) {
  RealReplica real(10);
  std::vector<std::unique_ptr<CallRecord>> calls;
  for (int i = 0; i < 1000; ++i) {
    calls.push_back(std::make_unique<CallRecord>());
    real.bench.start(*calls.back());
    real.bench.send(*calls.back(), grpc_message("n" + std::to_string(i)));
  }
  for (size_t i = 0; i < calls.size(); ++i) {
    ASSERT_TRUE(real.bench.run([&] { return calls[i]->has_ended(); }, std::chrono::seconds(60)));
    EXPECT_TRUE(calls[i]->end.status.ok()) << calls[i]->end.status.message;
    EXPECT_EQ(payload(calls[i]->received, 0), "n" + std::to_string(i));
  }
}

TEST(RealReplica, AServerThatStopsAndStartsAgainIsUsedAgain) {
  Loop loop;
  auto server = std::make_unique<GrpcPredictor>();
  int port = server->port();
  BackendOptions options = backend_options({server->address()});
  options.limits.backoff_min = std::chrono::milliseconds(50);
  BackendBench bench(loop, options);
  ASSERT_TRUE(bench.run_until_up());
  std::thread([&] { server.reset(); }).join();
  ASSERT_TRUE(bench.run([&] { return !bench.state->is_up(0); }));
  server = std::make_unique<GrpcPredictor>(port);
  ASSERT_TRUE(bench.run_until_up());
  CallRecord call;
  bench.start(call);
  bench.send(call, grpc_message("x"));
  EXPECT_TRUE(bench.run([&] { return call.has_ended(); }));
  EXPECT_TRUE(call.end.status.ok()) << call.end.status.message;
}

// Two workers over the same replicas share what is in flight.
TEST(RealReplica, ServesTwoWorkersThatShareTheirState) {
  GrpcPredictor first;
  GrpcPredictor second;
  BackendOptions options = backend_options({first.address(), second.address()});
  auto state = BackendState::make(options);
  MemoryAccount account(size_t{1} << 30);
  auto work = [&] {
    Loop loop;
    auto backend = Backend::make(loop, options, state, &account, nullptr);
    backend->open();
    for (int round = 0; round < 20; ++round) {
      std::vector<std::unique_ptr<CallRecord>> calls;
      for (int i = 0; i < 50; ++i) {
        calls.push_back(std::make_unique<CallRecord>());
        CallHead head;
        head.path = "/test.Peer/Echo";
        calls.back()->call = backend->start(std::move(head), *calls.back());
        calls.back()->call->send(grpc_message("x"), true);
      }
      for (auto& call : calls) {
        EXPECT_TRUE(run_until(loop, [&] { return call->has_ended(); }));
        EXPECT_TRUE(call->end.status.ok()) << call->end.status.message;
      }
    }
  };
  std::thread other(work);
  work();
  other.join();
  EXPECT_EQ(first.calls() + second.calls(), 2000U);
  EXPECT_GT(first.calls(), 600U);
  EXPECT_GT(second.calls(), 600U);
  EXPECT_EQ(state->in_flight(0), 0);
  EXPECT_EQ(state->in_flight(1), 0);
  EXPECT_FALSE(state->any_up());
  EXPECT_EQ(account.held_bytes(), 0U);
}

}  // namespace
}  // namespace transom
