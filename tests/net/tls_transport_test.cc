#include "net/tls_transport.h"

#include <gtest/gtest.h>

#include <csignal>

#include "net/pipe_end.h"
#include "net/tls_client.h"
#include "net/tls_files.h"

namespace transom {
namespace {

using std::chrono::milliseconds;
using std::string_literals::operator""s;

class TlsTransportTest : public testing::Test, private NetObserver {
 protected:
  void SetUp() override {
    std::signal(SIGPIPE, SIG_IGN);  // the client writes by the vendor's own means
    listen("");
  }

  void listen(const std::string& client_ca) {
    ListenerOptions options;
    options.address = parse_address("127.0.0.1:0").value();
    options.handshake_timeout = handshake_timeout_;
    options.tls = TlsServer::load({server_files_.certificate, server_files_.private_key, client_ca}).value();
    listener_ =
        std::move(*Listener::open(loop_, options, -1, this, [this](auto t) { server_.take(std::move(t), reads_); }));
  }
  void on_accept_paused(const std::string&) override {}
  void on_tls_failed(const std::string& peer, const std::string& reason) override {
    EXPECT_TRUE(peer.starts_with("127.0.0.1:"));
    failures_.push_back(reason);
  }
  void write_to_client(const std::string& bytes) { server_.transport->write(bytes); }

  Loop loop_;
  TlsFiles authority_{"authority", nullptr};
  TlsFiles server_files_{"server", &authority_};
  std::unique_ptr<Listener> listener_;
  milliseconds handshake_timeout_{5'000};
  bool reads_ = true;
  PipeEnd server_;
  std::vector<std::string> failures_;
};

TEST_F(TlsTransportTest, AgreesOnTheProtocolWeLikeBest) {
  struct Case {
    std::string offer;
    std::string chosen;
  };
  for (const Case& each : {Case{"\x08http/1.1\x02h2", "h2"}, Case{"\x08http/1.1", "http/1.1"},
                           Case{"\x05other\x02h2", "h2"}, Case{"", ""}}) {
    TlsClient client(listener_->address(), {.alpn = each.offer, .authority = &authority_},
                     [](TlsClient& self) { self.read(1); });
    EXPECT_TRUE(run_until(loop_, [&] { return server_.is_open(); }));
    EXPECT_EQ(server_.transport->alpn(), each.chosen);
    EXPECT_TRUE(server_.transport->is_tls());
    server_.transport->shutdown();
    client.join();
    EXPECT_EQ(client.protocol, each.chosen);
    EXPECT_EQ(client.version, "TLSv1.3");
    EXPECT_EQ(client.end, SSL_ERROR_ZERO_RETURN);
    server_.transport.reset();
  }
}

TEST_F(TlsTransportTest, RefusesAHandshakeAndSaysWhy) {
  struct Case {
    TlsClientOptions options;
    std::string reason;
  };
  const Case cases[] = {
      {{.alpn = "\x05other"}, "no application protocol"},
      {{.max_version = TLS1_1_VERSION}, ""},  // "unsupported protocol", or the client finds no cipher of its own
      {{.preamble = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"}, "http request"},
  };
  for (const Case& each : cases) {
    failures_.clear();
    TlsClient client(listener_->address(), each.options, [](TlsClient&) {});
    EXPECT_TRUE(run_until(loop_, [&] { return !failures_.empty(); }));
    client.join();
    EXPECT_FALSE(client.has_shaken_hands);
    EXPECT_EQ(failures_.size(), 1U);
    EXPECT_NE(failures_[0].find(each.reason), std::string::npos) << failures_[0];
    EXPECT_FALSE(server_.is_open());
  }
}

TEST_F(TlsTransportTest, WantsACertificateOfTheClientsAuthority) {
  TlsFiles good("good-client", &authority_);
  TlsFiles stranger("stranger", nullptr);
  listen(authority_.certificate);
  for (const TlsFiles* files : {static_cast<const TlsFiles*>(nullptr), static_cast<const TlsFiles*>(&stranger)}) {
    failures_.clear();
    TlsClient client(listener_->address(), {.own = files}, [](TlsClient& self) { self.read(1); });
    EXPECT_TRUE(run_until(loop_, [&] { return failures_.size() == 1; }));
    EXPECT_FALSE(server_.is_open());
  }
  for (int version : {TLS1_2_VERSION, TLS1_3_VERSION}) {
    TlsClient client(listener_->address(), {.own = &good, .max_version = version},
                     [](TlsClient& self) { self.read(1); });
    EXPECT_TRUE(run_until(loop_, [&] { return server_.is_open(); }));
    server_.transport->shutdown();
    client.join();
    server_.transport.reset();
  }
}

TEST_F(TlsTransportTest, CarriesMuchBothWaysInOrder) {
  for (int version : {TLS1_2_VERSION, TLS1_3_VERSION}) {
    std::string up(3'000'000, 'u');
    std::string down(5'000'000, 'd');
    for (size_t i = 0; i < up.size(); i += 97) {
      up[i] = static_cast<char>(i);
      down[i] = static_cast<char>(i >> 8);
    }
    std::string got;
    TlsClient client(listener_->address(), {.max_version = version}, [&](TlsClient& self) {
      self.write(up);
      got = self.read(down.size());
    });
    EXPECT_TRUE(run_until(loop_, [&] { return server_.received.size() == up.size(); }));
    EXPECT_TRUE(server_.received == up);
    EXPECT_LE(server_.largest_read, size_t{64} * 1024);
    server_.transport->write(down);
    EXPECT_TRUE(run_until(loop_, [&] { return server_.drains == 1 && server_.eofs == 1; }));
    client.join();
    EXPECT_TRUE(got == down);
    server_.transport.reset();
    server_.received.clear();
    server_.drains = server_.eofs = 0;
  }
}

TEST_F(TlsTransportTest, KeepsWhatCameWithTheHandshakeAndWhileItWasPaused) {
  reads_ = false;
  TlsClient client(listener_->address(), {}, [&](TlsClient& self) {
    self.write(std::string(100'000, 'a'));
    self.read(1);
  });
  EXPECT_TRUE(run_until(loop_, [&] { return server_.is_open(); }));
  run_for(loop_, milliseconds(20));
  EXPECT_EQ(server_.received, "");
  server_.on_bytes = [&] { server_.transport->pause_reading(); };
  size_t rounds = 0;
  while (server_.received.size() < 100'000 && rounds < 100) {
    size_t before = server_.received.size();
    server_.transport->resume_reading();
    EXPECT_EQ(server_.received.size(), before);  // not inside the call
    EXPECT_TRUE(run_until(loop_, [&] { return server_.received.size() > before; }));
    ++rounds;
  }
  EXPECT_TRUE(server_.received == std::string(100'000, 'a'));
  EXPECT_GE(rounds, 2U);
  server_.transport->shutdown();
}

TEST_F(TlsTransportTest, EndsWithAndWithoutCloseNotify) {
  for (bool notifies : {true, false}) {
    TlsClient client(listener_->address(), {}, [&](TlsClient& self) {
      self.write("bye");
      if (notifies) {
        SSL_shutdown(self.ssl);
      }
      ::shutdown(self.fd, SHUT_WR);
      EXPECT_EQ(self.read(6), "answer");  // our side may still speak
    });
    EXPECT_TRUE(run_until(loop_, [&] { return server_.eofs == 1; }));
    EXPECT_EQ(server_.received, "bye");
    EXPECT_EQ(server_.errors, 0);
    write_to_client("answer");
    run_for(loop_, milliseconds(5));
    EXPECT_EQ(server_.eofs, 1);
    client.join();
    server_.transport.reset();
    server_.received.clear();
    server_.eofs = server_.errors = 0;
  }
}

TEST_F(TlsTransportTest, AnEndThatCameWhileItWasPausedIsToldWhenItReads) {
  reads_ = false;
  TlsClient client(listener_->address(), {}, [&](TlsClient& self) {
    self.write("bye");
    SSL_shutdown(self.ssl);
    self.read(1);
  });
  EXPECT_TRUE(run_until(loop_, [&] { return server_.is_open(); }));
  server_.on_bytes = [&] { server_.transport->pause_reading(); };
  server_.transport->resume_reading();
  EXPECT_TRUE(run_until(loop_, [&] { return server_.received == "bye"; }));
  run_for(loop_, milliseconds(10));
  EXPECT_EQ(server_.eofs, 0);
  server_.transport->resume_reading();
  EXPECT_TRUE(run_until(loop_, [&] { return server_.eofs == 1; }));
  server_.transport.reset();
}

TEST_F(TlsTransportTest, PausedItHearsOfThePeersEndBeforeItReadsWhatCameWhereItWatches) {
  reads_ = false;
  TlsClient client(listener_->address(), {}, [&](TlsClient& self) {
    self.write(std::string(100'000, 'a'));
    ::shutdown(self.fd, SHUT_WR);
    self.read(1);
  });
  EXPECT_TRUE(run_until(loop_, [&] { return server_.is_open(); }));
  server_.transport->watch_end();
  server_.on_bytes = [&] { server_.transport->pause_reading(); };
  server_.transport->resume_reading();
  EXPECT_TRUE(run_until(loop_, [&] { return server_.endings == 1; }));
  EXPECT_LT(server_.received.size(), 100'000U);
  server_.on_bytes = nullptr;
  server_.transport->resume_reading();
  EXPECT_TRUE(run_until(loop_, [&] { return server_.eofs == 1; }));
  EXPECT_TRUE(server_.received == std::string(100'000, 'a'));
  EXPECT_EQ(server_.endings, 1);
  server_.transport.reset();
}

TEST_F(TlsTransportTest, ARecordThatIsNoneIsAnError) {
  TlsClient client(listener_->address(), {}, [&](TlsClient& self) {
    send(self.fd, "\x17\x03\x03\x00\x20this is not what was agreed upon", 37, MSG_NOSIGNAL);
    self.read(1);
  });
  EXPECT_TRUE(run_until(loop_, [&] { return server_.errors == 1; }));
  EXPECT_EQ(server_.eofs, 0);
  server_.transport->write("ignored");
  server_.transport->shutdown();
  run_for(loop_, milliseconds(5));
  EXPECT_EQ(server_.errors, 1);
  server_.transport.reset();
  client.join();
  EXPECT_EQ(client.end, SSL_ERROR_SSL);  // the alert reached it
}

TEST_F(TlsTransportTest, NeverRenegotiates) {
  TlsClient client(listener_->address(), {.max_version = TLS1_2_VERSION}, [&](TlsClient& self) {
    SSL_renegotiate(self.ssl);
    EXPECT_NE(SSL_do_handshake(self.ssl), 1);
  });
  EXPECT_TRUE(run_until(loop_, [&] { return server_.eofs + server_.errors == 1; }));
  server_.transport.reset();
}

TEST_F(TlsTransportTest, EndsAPeerThatAsksForKeyUpdatesAndReadsNothing) {
  TlsClientOptions options{.max_version = TLS1_3_VERSION, .receive_buffer = 4096};
  TlsClient client(listener_->address(), options, [&](TlsClient& self) {
    for (int i = 0; i < 2'000'000; ++i) {
      if (SSL_key_update(self.ssl, SSL_KEY_UPDATE_REQUESTED) != 1 || SSL_do_handshake(self.ssl) != 1) {
        break;
      }
    }
  });
  EXPECT_TRUE(run_until(loop_, [&] { return server_.errors == 1; }));
  EXPECT_NE(server_.error.message.find("reads no answers"), std::string::npos) << server_.error.message;
  EXPECT_LE(server_.is_open() ? server_.transport->queued() : 0, size_t{256} * 1024);
  server_.transport.reset();
}

TEST_F(TlsTransportTest, MayBeDestroyedInItsOwnCallbacks) {
  TlsClient client(listener_->address(), {}, [&](TlsClient& self) {
    std::string much(300'000, 'x');
    SSL_write(self.ssl, much.data(), static_cast<int>(much.size()));  // may be cut off
  });
  int heard = 0;
  server_.on_bytes = [&] {
    ++heard;
    server_.transport.reset();
  };
  EXPECT_TRUE(run_until(loop_, [&] { return heard == 1; }));
  run_for(loop_, milliseconds(5));
  EXPECT_EQ(heard, 1);
}

}  // namespace
}  // namespace transom
