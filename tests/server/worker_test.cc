#include "server/worker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "server/listening.h"
#include "support/http_exchange.h"

namespace transom {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

// One worker that listens on a port of its own and has no routes.
class WorkerTest : public testing::Test {
 protected:
  WorkerTest() {
    ListenerOptions options;
    options.address = *parse_address("127.0.0.1:0");
    sockets_.emplace(std::move(*ListeningSockets::open(options, 1)));
    options_.listeners.push_back({options, sockets_->fd_of(0), 0});
    options_.snapshot = empty_snapshot();
    options_.session_limits.sessions = 100;
    worker_ =
        std::make_unique<Worker>(options_, SharedServices{metrics_, log_, sink_, AccessFields(), account_, *offload_});
  }
  static SnapshotPtr empty_snapshot() {
    auto snapshot = std::make_shared<Snapshot>();
    snapshot->router = *build_router({});
    return snapshot;
  }
  std::string get(const std::string& path) { return http_exchange(sockets_->address().port, "GET " + path); }

  LineThread thread_;
  LineSink sink_{thread_, -1};
  ProcessLog log_{sink_, LogLevel::Error};
  Metrics metrics_{1};
  MemoryAccount account_{64 << 20};
  std::unique_ptr<OffloadPool> offload_ = OffloadPool::make(1, 1 << 20);
  std::optional<ListeningSockets> sockets_;
  WorkerOptions options_;
  std::unique_ptr<Worker> worker_;
};

TEST_F(WorkerTest, ServesAndCountsUntilItIsStopped) {
  ASSERT_TRUE(worker_->start().ok());
  EXPECT_THAT(get("/none"), StartsWith("HTTP/1.1 404"));
  worker_.reset();
  EXPECT_THAT(metrics_.text(), HasSubstr("transom_requests_total{route=\"\",method=\"GET\",rpc=\"\",protocol=\"http1\","
                                         "http_status=\"404\",grpc_status=\"5\"} 1\n"));
}

TEST_F(WorkerTest, WhatTheSessionRefusesHasARequestIdToo) {
  ASSERT_TRUE(worker_->start().ok());
  const uint16_t port = sockets_->address().port;
  EXPECT_THAT(http_exchange(port, "GET /a HTTP/1.2\r\nX: "), HasSubstr("\r\nx-request-id: "));
}

TEST_F(WorkerTest, TakesUpANewSnapshot) {
  ASSERT_TRUE(worker_->start().ok());
  std::promise<void> installed;
  worker_->install(empty_snapshot(), [&] { installed.set_value(); });
  installed.get_future().wait();
  EXPECT_THAT(get("/none"), StartsWith("HTTP/1.1 404"));
}

TEST_F(WorkerTest, ADrainedWorkerAcceptsNothing) {
  ASSERT_TRUE(worker_->start().ok());
  sockets_->close();
  std::promise<void> drained;
  worker_->drain([&] { drained.set_value(); });
  drained.get_future().wait();
  EXPECT_EQ(get("/none"), "");
}

TEST_F(WorkerTest, AListenerThatCannotBeOpenedIsTold) {
  options_.listeners[0].fd = 1 << 20;  // no such descriptor
  Worker worker(options_, SharedServices{metrics_, log_, sink_, AccessFields(), account_, *offload_});
  const Status status = worker.start();
  EXPECT_FALSE(status.ok());
  EXPECT_THAT(status.message, HasSubstr("127.0.0.1"));
}

TEST_F(WorkerTest, ClientsBeyondTheBoundOfSessionsWaitForTheirTurn) {
  options_.session_limits.sessions = 1;
  Worker worker(options_, SharedServices{metrics_, log_, sink_, AccessFields(), account_, *offload_});
  ASSERT_TRUE(worker.start().ok());
  sockets_->close();
  std::vector<std::string> answers(8);
  std::vector<std::thread> clients;
  for (std::string& answer : answers) {
    clients.emplace_back([&] { answer = get("/none"); });
  }
  for (std::thread& client : clients)
    client.join();
  for (const std::string& answer : answers)
    EXPECT_THAT(answer, StartsWith("HTTP/1.1 404"));
}

TEST_F(WorkerTest, OneThatWasNeverStartedGoes) { EXPECT_NE(worker_, nullptr); }

}  // namespace
}  // namespace transom
