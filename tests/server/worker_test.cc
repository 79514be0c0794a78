#include "server/worker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <future>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "server/listening.h"
#include "support/http_exchange.h"

namespace transom {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

// A client that has sent a request and keeps its session for as long as it lives.
class HeldClient {
 public:
  explicit HeldClient(uint16_t port) : fd_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(port);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    constexpr std::string_view kRequest = "GET /none HTTP/1.1\r\nHost: a\r\n\r\n";
    EXPECT_EQ(connect(fd_, reinterpret_cast<sockaddr*>(&to), sizeof(to)), 0);
    EXPECT_EQ(send(fd_, kRequest.data(), kRequest.size(), MSG_NOSIGNAL), static_cast<ssize_t>(kRequest.size()));
  }
  ~HeldClient() { close(fd_); }
  HeldClient(const HeldClient&) = delete;
  HeldClient& operator=(const HeldClient&) = delete;

  std::string answer() const {
    char bytes[4096];
    const ssize_t got = recv(fd_, bytes, sizeof(bytes), 0);
    return std::string(bytes, got > 0 ? static_cast<size_t>(got) : 0);
  }
  // One that was answered, or has been closed.
  static std::list<HeldClient>::iterator wait_for_one(std::list<HeldClient>& clients) {
    std::vector<pollfd> polled;
    for (const HeldClient& client : clients)
      polled.push_back({client.fd_, POLLIN, 0});
    poll(polled.data(), polled.size(), 10'000);
    auto found = clients.begin();
    for (size_t i = 0; i < polled.size() && polled[i].revents == 0; ++i)
      ++found;
    return found;
  }

 private:
  const int fd_;
};

// One worker that listens on a port of its own and has no routes.
class WorkerTest : public testing::Test {
 protected:
  WorkerTest() {
    ListenerOptions options;
    options.address = *parse_address("127.0.0.1:0");
    sockets_.emplace(std::move(*ListeningSockets::open(options, 1)));
    options_.listeners.push_back({options, sockets_->fd_of(0), 0});
    options_.snapshot = empty_snapshot();
    worker_ = std::make_unique<Worker>(options_, services());
  }
  SharedServices services() { return {metrics_, log_, sink_, AccessFields(), account_, *offload_, sessions_, readiness_}; }
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
  SessionBound sessions_{3};
  Readiness readiness_{ReadyRule::None};
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
  Worker worker(options_, services());
  const Status status = worker.start();
  EXPECT_FALSE(status.ok());
  EXPECT_THAT(status.message, HasSubstr("127.0.0.1"));
}

// All are in the backlog before the worker begins, and none ends its session until it was answered.
TEST_F(WorkerTest, ClientsBeyondTheBoundOfSessionsWaitForTheirTurn) {
  std::list<HeldClient> waiting;
  for (int i = 0; i < 10; ++i)
    waiting.emplace_back(sockets_->address().port);
  ASSERT_TRUE(worker_->start().ok());
  sockets_->close();
  for (int answered = 0; !waiting.empty(); ++answered) {
    const auto next = HeldClient::wait_for_one(waiting);
    ASSERT_NE(next, waiting.end()) << answered;
    EXPECT_THAT(next->answer(), StartsWith("HTTP/1.1 404")) << answered;
    EXPECT_LE(metrics_.sessions_open(), 3) << answered;
    waiting.erase(next);
  }
}

TEST(SessionBoundTest, HasSoManyPlacesAndNoMoreWhateverThreadsTakeThem) {
  SessionBound bound(100);
  std::atomic<int> taken{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int n = 0; n < 1000; ++n)
        taken += bound.take() ? 1 : 0;
    });
  }
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(taken, 100);
  EXPECT_FALSE(bound.has_room());
  bound.give_back();
  EXPECT_TRUE(bound.has_room());
}

TEST_F(WorkerTest, OneThatWasNeverStartedGoes) { EXPECT_NE(worker_, nullptr); }

}  // namespace
}  // namespace transom
