// A SessionSet behind a real listener on loopback, and clients that speak raw bytes, for the tests of src/http. The
// clients share the test's thread: wait() runs the loop while it reads.
#pragma once

#include <gtest/gtest.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "http/session.h"
#include "net/listener.h"
#include "support/fake_exchange_handler.h"
#include "support/loop_runner.h"

namespace transom {

// A client's end of a TCP socket. Reads only when asked to.
class RawClient {
 public:
  // receive_buffer: 0 leaves the system's.
  explicit RawClient(uint16_t port, int receive_buffer = 0) : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    if (receive_buffer > 0) {
      ::setsockopt(fd_, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof(receive_buffer));
    }
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::connect(fd_, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
  }
  ~RawClient() { close(); }
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;

  // How many bytes the kernel took; all of them unless the session does not read.
  size_t send(std::string_view bytes) {
    ssize_t sent = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    return sent < 0 ? 0 : static_cast<size_t>(sent);
  }
  void read() {
    char bytes[64 * 1024];
    for (;;) {
      ssize_t got = ::recv(fd_, bytes, sizeof(bytes), MSG_DONTWAIT);
      if (got > 0) {
        received.append(bytes, static_cast<size_t>(got));
        continue;
      }
      has_eof = has_eof || got == 0;
      has_reset = has_reset || (got < 0 && errno == ECONNRESET);
      return;
    }
  }
  void end() { ::shutdown(fd_, SHUT_WR); }
  // Closes with a reset.
  void abort() {
    linger at_once{1, 0};
    ::setsockopt(fd_, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
    close();
  }
  void close() {
    if (fd_ >= 0) {
      ::close(std::exchange(fd_, -1));
    }
  }
  bool has_closed() const { return has_eof || has_reset; }

  std::string received;
  bool has_eof = false;
  bool has_reset = false;

 private:
  int fd_;
};

struct RefusalNote {
  HttpVersion version;
  uint16_t status;
  std::string id;
  std::string peer;
  std::string method;
  std::string target;
};

class SessionFixture : public testing::Test, public HttpObserver {
 protected:
  SessionFixture() {
    options_.account = &account_;
    options_.observer = this;
    options_.error_body = [](const Status& status) {
      return ErrorBody{"{\"code\":" + std::to_string(static_cast<int>(status.code)) + "}"};
    };
  }
  ~SessionFixture() override {
    // The loop buries what ended, before the loop itself goes.
    sessions_.reset();
    listener_.reset();
    run_for(loop_, std::chrono::milliseconds(1));
    EXPECT_EQ(account_.held_bytes(), 0U);
    EXPECT_EQ(opened_, ended_);
  }

  // After options_ and acceptor_ are set.
  void serve() {
    sessions_ = SessionSet::make(loop_, options_, acceptor_);
    ListenerOptions listening;
    listening.address.host = "127.0.0.1";
    auto listener = Listener::open(loop_, listening, -1, nullptr, [this](std::unique_ptr<Transport> transport) {
      sessions_->add(std::move(transport));
    });
    ASSERT_TRUE(listener.ok());
    listener_ = std::move(*listener);
  }
  std::unique_ptr<RawClient> connect(int receive_buffer = 0) {
    return std::make_unique<RawClient>(listener_->address().port, receive_buffer);
  }
  bool wait(RawClient& client, const std::function<bool()>& is_done,
            std::chrono::milliseconds timeout = std::chrono::seconds(10)) {
    return run_until(
        loop_,
        [&] {
          client.read();
          return is_done();
        },
        timeout);
  }
  bool wait_for(RawClient& client, std::string_view text) {
    return wait(client, [&] { return client.received.find(text) != std::string::npos; });
  }
  bool wait_for_end(RawClient& client) {
    return wait(client, [&] { return client.has_closed(); });
  }
  void idle(RawClient& client, std::chrono::milliseconds time) {
    wait(
        client, [] { return false; }, time);
  }
  ExchangeNotes& exchange(size_t index) { return *acceptor_.exchanges.at(index); }
  size_t exchanges() const { return acceptor_.exchanges.size(); }

  void on_refused(const RefusedRequest& request) override {
    refusals_.push_back({request.version, request.http_status, std::string(request.request_id),
                         std::string(request.peer), request.head.method, request.head.target});
  }
  void on_session_open() override { ++opened_; }
  void on_session_end() override { ++ended_; }

  Loop loop_;
  MemoryAccount account_{64 * kMiB};
  SessionOptions options_;
  FakeExchangeAcceptor acceptor_;
  std::unique_ptr<SessionSet> sessions_;
  std::unique_ptr<Listener> listener_;
  std::vector<RefusalNote> refusals_;
  int opened_ = 0;
  int ended_ = 0;
};

}  // namespace transom
