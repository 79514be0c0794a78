#include "net/greeting.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include "net/pipe_end.h"
#include "net/tls_client.h"
#include "net/tls_files.h"

namespace transom {
namespace {

using std::chrono::milliseconds;
using std::string_literals::operator""s;

const std::string kFixedPart = "\r\n\r\n\0\r\nQUIT\n\x21\x11\x00\x0c"s;
const std::string kAddresses = "\x0a\x00\x00\x01\xc0\xa8\x00\x02\x13\x88\x00\x50"s;  // from 10.0.0.1:5000
const std::string kHeader = kFixedPart + kAddresses;

class GreetingTest : public testing::Test, private NetObserver {
 protected:
  GreetingTest() {
    options_.address = parse_address("127.0.0.1:0").value();
    options_.proxy_protocol = true;
    options_.handshake_timeout = milliseconds(5'000);
  }
  ~GreetingTest() override {
    for (int fd : fds_) {
      close(fd);
    }
  }
  void on_accept_paused(const std::string&) override {}
  void on_tls_failed(const std::string& peer, const std::string& reason) override { note(peer, "TLS: " + reason); }
  void on_proxy_header_failed(const std::string& peer, const std::string& reason) override { note(peer, reason); }
  void note(const std::string& peer, const std::string& reason) {
    last_peer_ = peer;
    failures_.push_back(reason);
  }

  void listen() {
    listener_ = std::move(*Listener::open(loop_, options_, -1, this, [this](auto t) { server_.take(std::move(t)); }));
  }
  int dial() {
    SocketAddress target = to_socket_address(listener_->address()).value();
    fds_.push_back(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    EXPECT_EQ(::connect(fds_.back(), target.raw(), target.size), 0);
    return fds_.back();
  }
  static void say(int fd, const std::string& bytes) {
    EXPECT_EQ(send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL), static_cast<ssize_t>(bytes.size()));
  }
  // The other side is gone: an end or a reset.
  static bool is_closed(int fd) {
    char byte;
    ssize_t got = recv(fd, &byte, 1, MSG_DONTWAIT);
    return got == 0 || (got < 0 && errno != EAGAIN);
  }

  Loop loop_;
  ListenerOptions options_;
  std::unique_ptr<Listener> listener_;
  PipeEnd server_;
  std::vector<std::string> failures_;
  std::string last_peer_;
  std::vector<int> fds_;
};

TEST_F(GreetingTest, TakesAHeaderByteByByteAndNothingBehindIt) {
  listen();
  int fd = dial();
  for (char byte : kHeader) {
    EXPECT_FALSE(server_.is_open());
    say(fd, std::string(1, byte));
    run_for(loop_, milliseconds(2));
  }
  EXPECT_TRUE(run_until(loop_, [&] { return server_.is_open(); }));
  EXPECT_EQ(server_.transport->peer(), "10.0.0.1:5000");
  EXPECT_EQ(server_.received, "");
  say(fd, "GET");
  EXPECT_TRUE(run_until(loop_, [&] { return server_.received == "GET"; }));
}

TEST_F(GreetingTest, GivesOnWhatCameWithTheHeader) {
  listen();
  std::string much(200'000, 'm');
  say(dial(), kHeader + "GET / HTTP/1.1\r\n" + much);
  EXPECT_TRUE(run_until(loop_, [&] { return server_.received == "GET / HTTP/1.1\r\n" + much; }));
  EXPECT_TRUE(failures_.empty());
}

TEST_F(GreetingTest, KeepsTheSocketsPeerForLocal) {
  listen();
  say(dial(), "\r\n\r\n\0\r\nQUIT\n\x20\x00\x00\x00"s);
  EXPECT_TRUE(run_until(loop_, [&] { return server_.is_open(); }));
  EXPECT_TRUE(server_.transport->peer().starts_with("127.0.0.1:"));
}

TEST_F(GreetingTest, ClosesOnABadHeaderAndTellsWhy) {
  struct Case {
    std::string bytes;
    std::string reason;
  };
  options_.proxy_header_bytes = 100;
  listen();
  for (const Case& each : {Case{"GET / HTTP/1.1\r\nHost: a\r\n\r\n", "signature"},
                           Case{"\r\n\r\n\0\r\nQUIT\n\x11\x11\x00\x0c"s + kAddresses, "version"},
                           Case{"\r\n\r\n\0\r\nQUIT\n\x21\x11\x00\x04"s + "1234", "cut short"},
                           Case{"\r\n\r\n\0\r\nQUIT\n\x21\x11\x00\x55"s, "longer than 100 bytes"},
                           Case{"\r\n\r\n\0\r\nQUIT\n\x21\x11\xff\xff"s, "longer than 100 bytes"}}) {
    failures_.clear();
    int fd = dial();
    say(fd, each.bytes);
    EXPECT_TRUE(run_until(loop_, [&] { return is_closed(fd); })) << each.reason;
    ASSERT_EQ(failures_.size(), 1U) << each.reason;
    EXPECT_NE(failures_[0].find(each.reason), std::string::npos) << failures_[0];
    EXPECT_TRUE(last_peer_.starts_with("127.0.0.1:"));
  }
  EXPECT_FALSE(server_.is_open());
}

TEST_F(GreetingTest, ClosesOnAnEndWithinTheHeader) {
  listen();
  int fd = dial();
  say(fd, kFixedPart);
  shutdown(fd, SHUT_WR);
  EXPECT_TRUE(run_until(loop_, [&] { return is_closed(fd); }));
  EXPECT_EQ(failures_.size(), 1U);
}

TEST_F(GreetingTest, ClosesWhoTakesTooLong) {
  options_.handshake_timeout = milliseconds(20);
  listen();
  int silent = dial();
  int slow = dial();
  say(slow, kFixedPart);
  EXPECT_TRUE(run_until(loop_, [&] { return is_closed(silent) && is_closed(slow); }));
  EXPECT_EQ(failures_, (std::vector<std::string>{"timed out", "timed out"}));
}

TEST_F(GreetingTest, ShakesHandsBehindTheHeader) {
  TlsFiles files("server", nullptr);
  options_.tls = TlsServer::load({files.certificate, files.private_key, ""}).value();
  listen();
  TlsClient client(listener_->address(), {.alpn = "\x02h2", .preamble = kHeader}, [](TlsClient& self) {
    self.write("PRI");
    self.read(1);
  });
  EXPECT_TRUE(run_until(loop_, [&] { return server_.received == "PRI"; }));
  EXPECT_EQ(server_.transport->peer(), "10.0.0.1:5000");
  EXPECT_EQ(server_.transport->alpn(), "h2");
  server_.transport->shutdown();
}

TEST_F(GreetingTest, ClosesWhoNeverShakesHands) {
  TlsFiles files("server", nullptr);
  options_.tls = TlsServer::load({files.certificate, files.private_key, ""}).value();
  options_.handshake_timeout = milliseconds(20);
  listen();
  int fd = dial();
  say(fd, kHeader);
  EXPECT_TRUE(run_until(loop_, [&] { return is_closed(fd); }));
  EXPECT_EQ(failures_, (std::vector<std::string>{"TLS: timed out"}));
  EXPECT_EQ(last_peer_, "10.0.0.1:5000");
}

TEST_F(GreetingTest, IsCutOffWithItsListener) {
  listen();
  int fd = dial();
  say(fd, kFixedPart);
  run_for(loop_, milliseconds(5));
  listener_.reset();
  EXPECT_TRUE(run_until(loop_, [&] { return is_closed(fd); }));
  EXPECT_TRUE(failures_.empty());
}

}  // namespace
}  // namespace transom
