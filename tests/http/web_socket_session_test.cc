// WebSockets through whole sessions, of either version of HTTP.
#include <gtest/gtest.h>

#include "http/h2_test_client.h"
#include "http/session_fixture.h"
#include "http/web_socket_exchange.h"
#include "http/web_socket_frames.h"

namespace transom {
namespace {

using std::chrono::milliseconds;

const std::string kHandshake =
    "GET /chat HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\nConnection: keep-alive, Upgrade\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n";

void open_web_socket(Exchange& exchange, ExchangeNotes&) {
  ResponseHead head;
  exchange.send_head(head);
}

// Sends every piece back.
void echo_pieces(Exchange& exchange, ExchangeNotes& notes) {
  exchange.send(std::exchange(notes.body, {}));
}

class WebSocketSessionTest : public H2Fixture {
 protected:
  WebSocketSessionTest() {
    acceptor_.on_head = open_web_socket;
    acceptor_.on_body = echo_pieces;
  }
  void open_http1(const std::string& early = "") {
    serve();
    raw_ = connect();
    raw_->send(kHandshake + early);
    ASSERT_TRUE(wait_for(*raw_, "\r\n\r\n"));
    head_ = raw_->received.substr(0, raw_->received.find("\r\n\r\n") + 4);
    raw_->received.erase(0, head_.size());
  }
  bool wait_frames(size_t count) {
    return wait(*raw_, [&] { return ws_frames(raw_->received).size() >= count; });
  }
  // An extended CONNECT, once the server has said that it takes it.
  int32_t open_http2(const H2Fields& more = {}) {
    open();
    EXPECT_TRUE(until([&] {
      return nghttp2_session_get_remote_settings(client_->session(), NGHTTP2_SETTINGS_ENABLE_CONNECT_PROTOCOL) == 1;
    }));
    H2Fields fields = {{":method", "CONNECT"}, {":protocol", "websocket"}, {":scheme", "http"}, {":path", "/chat"},
                       {":authority", "h"},    {"sec-websocket-version", "13"}};
    fields.insert(fields.end(), more.begin(), more.end());
    return client_->request(fields, "", false);
  }

  std::string head_;
};

TEST_F(WebSocketSessionTest, OpensOverHttp1AndEchoes) {
  open_http1(ws_text("early"));
  EXPECT_TRUE(head_.starts_with("HTTP/1.1 101 Switching Protocols\r\n")) << head_;
  EXPECT_NE(head_.find("sec-websocket-accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"), std::string::npos) << head_;
  EXPECT_NE(head_.find("connection: Upgrade\r\n"), std::string::npos) << head_;
  for (const char* absent : {"content-length", "transfer-encoding", "connection: close"}) {
    EXPECT_EQ(head_.find(absent), std::string::npos) << head_;
  }
  raw_->send(ws_text("one") + ws_frame({kWsBinary, std::string(100'000, 'x')}));
  ASSERT_TRUE(wait_frames(3));
  EXPECT_EQ(ws_frames(raw_->received)[0], (WsFrame{kWsText, "early"}));
  EXPECT_EQ(ws_frames(raw_->received)[1], (WsFrame{kWsText, "one"}));
  EXPECT_EQ(exchange(0).head.method, "GET");
  EXPECT_TRUE(exchange(0).head.is_web_socket);
}

TEST_F(WebSocketSessionTest, ClosesOverHttp1WithTheClientsCloseAndEndsTheSession) {
  open_http1();
  raw_->send(ws_frame({kWsClose, ws_close(1000)}));
  EXPECT_TRUE(wait_for_end(*raw_));
  EXPECT_EQ(ws_frames(raw_->received), (std::vector<WsFrame>{{kWsClose, ws_close(1000)}}));
  EXPECT_EQ(exchange(0).end_status.code, Code::Cancelled);
}

TEST_F(WebSocketSessionTest, ClosesOverHttp1WithTheHandlersEnd) {
  acceptor_.on_body = [](Exchange& exchange, ExchangeNotes&) { exchange.finish({}); };
  open_http1();
  raw_->send(ws_text("x"));
  ASSERT_TRUE(wait_frames(1));
  EXPECT_FALSE(raw_->has_closed());
  raw_->send(ws_frame({kWsClose, ws_close(1000)}));
  EXPECT_TRUE(wait_for_end(*raw_));
  EXPECT_FALSE(raw_->has_reset);
  EXPECT_TRUE(exchange(0).end_status.ok());
}

TEST_F(WebSocketSessionTest, ADroppedTransportCancels) {
  open_http1();
  raw_->abort();
  EXPECT_TRUE(run_until(loop_, [&] { return exchange(0).ends == 1; }));
  EXPECT_EQ(exchange(0).end_status.code, Code::Cancelled);
}

TEST_F(WebSocketSessionTest, AnEndOfTheTransportWithoutACloseCancels) {
  open_http1();
  raw_->end();
  EXPECT_TRUE(run_until(loop_, [&] { return exchange(0).ends == 1; }));
  EXPECT_EQ(exchange(0).end_status.code, Code::Cancelled);
}

TEST_F(WebSocketSessionTest, AreClosedWith1001WhenTheProxyEnds) {
  open_http1();
  sessions_->close_web_sockets();
  ASSERT_TRUE(wait_frames(1));
  EXPECT_EQ(ws_frames(raw_->received)[0], (WsFrame{kWsClose, ws_close(1001, "the proxy ends")}));
  EXPECT_EQ(exchange(0).end_status.code, Code::Unavailable);
}

TEST_F(WebSocketSessionTest, ARefusedHandshakeIsAPlainAnswerAndTheLast) {
  acceptor_.on_head = [](Exchange& exchange, ExchangeNotes&) { answer(exchange, 404, "no such path"); };
  serve();
  raw_ = connect();
  raw_->send(kHandshake + kHandshake);
  EXPECT_TRUE(wait_for_end(*raw_));
  EXPECT_TRUE(raw_->received.starts_with("HTTP/1.1 404 Not Found\r\n")) << raw_->received;
  EXPECT_TRUE(raw_->received.ends_with("no such path"));
  EXPECT_NE(raw_->received.find("connection: close\r\n"), std::string::npos);
  EXPECT_EQ(exchanges(), 1U) << "what stands behind a request for a WebSocket is not a request";
}

TEST_F(WebSocketSessionTest, RefusesWhatIsNoHandshake) {
  struct Case {
    std::string text;
    std::string start;
    std::string has;
  };
  const std::string host = "Host: h\r\n";
  const std::string upgrade = "Upgrade: WebSocket\r\nConnection: upgrade\r\n";
  const std::string key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
  const Case cases[] = {
      {"GET / HTTP/1.1\r\n" + host + upgrade + key + "\r\n", "HTTP/1.1 426 Upgrade Required", "sec-websocket-version: 13"},
      {"GET / HTTP/1.1\r\n" + host + upgrade + "Sec-WebSocket-Version: 13\r\n\r\n", "HTTP/1.1 400 ", "\"code\":3"},
      {"GET / HTTP/1.1\r\n" + host + upgrade + key + "Sec-WebSocket-Version: 13\r\nContent-Length: 1\r\n\r\nx",
       "HTTP/1.1 400 ", "\"code\":3"},
  };
  serve();
  for (const Case& each : cases) {
    auto client = connect();
    client->send(each.text);
    EXPECT_TRUE(wait_for_end(*client));
    EXPECT_TRUE(client->received.starts_with(each.start)) << client->received;
    EXPECT_NE(client->received.find(each.has), std::string::npos) << client->received;
  }
  EXPECT_EQ(exchanges(), 0U);
}

// RFC 9110 section 7.8: a server may ignore Upgrade.
TEST_F(WebSocketSessionTest, WhatDoesNotAskInFullIsARequestLikeAnyOther) {
  acceptor_.on_head = nullptr;
  acceptor_.on_body = nullptr;
  echo();
  const std::string fields = "Host: h\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n";
  const std::string cases[] = {
      "GET / HTTP/1.1\r\n" + fields + "Upgrade: websocket\r\n\r\n",
      "GET / HTTP/1.0\r\n" + fields + "Upgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
      "POST / HTTP/1.1\r\n" + fields + "Upgrade: websocket\r\nConnection: Upgrade\r\nContent-Length: 0\r\n\r\n",
      "GET / HTTP/1.1\r\n" + fields + "Upgrade: mystery\r\nConnection: Upgrade\r\n\r\n",
  };
  serve();
  for (const std::string& text : cases) {
    auto client = connect();
    client->send(text);
    EXPECT_TRUE(wait_for(*client, " 200 OK")) << client->received;
    EXPECT_FALSE(acceptor_.exchanges.back()->head.is_web_socket);
  }
}

TEST_F(WebSocketSessionTest, AHandlerThatDoesNotReadStopsTheClientOverHttp1) {
  acceptor_.on_body = nullptr;
  acceptor_.consumes = false;
  open_http1();
  const std::string frame = ws_frame({kWsBinary, std::string(60'000, 'x')});
  size_t taken = 0;
  for (int i = 0; i < 1000; ++i) {
    const size_t now = raw_->send(frame);
    taken += now;
    if (now < frame.size()) {
      break;
    }
    idle(*raw_, milliseconds(1));
  }
  EXPECT_LT(taken, 30 * kMiB) << "the kernel's buffers, and one window";
  EXPECT_LE(exchange(0).body.size(), options_.exchange_window + kKiB);
}

TEST_F(WebSocketSessionTest, AFloodOfPingsIsReadNoFasterThanItsPongsAre) {
  open_http1();
  const std::string ping = ws_frame({kWsPing, std::string(125, 'p')});
  const size_t count = 200'000;
  std::string flood;
  for (size_t i = 0; i < count; ++i) {
    flood += ping;
  }
  size_t sent = 0;
  // Without reading, until nothing is taken any more.
  run_until(
      loop_,
      [&] {
        const size_t taken = raw_->send(std::string_view(flood).substr(sent));
        sent += taken;
        return sent == flood.size();
      },
      milliseconds(300));
  EXPECT_LT(account_.held_bytes(), 256 * kKiB);
  const size_t pong_bytes = 2 + 125;
  EXPECT_TRUE(wait(*raw_, [&] {
    sent += raw_->send(std::string_view(flood).substr(sent));
    return raw_->received.size() == count * pong_bytes;
  }));
}

TEST_F(WebSocketSessionTest, ASilentOneIsNoIdleSessionNorASlowBody) {
  options_.limits.idle = milliseconds(10);
  options_.limits.body_timeout = milliseconds(10);
  open_http1();
  idle(*raw_, milliseconds(60));
  raw_->send(ws_text("still there"));
  ASSERT_TRUE(wait_frames(1));
  EXPECT_EQ(ws_frames(raw_->received)[0], (WsFrame{kWsText, "still there"}));
}

TEST_F(WebSocketSessionTest, OpensOverHttp2AndEchoes) {
  const int32_t stream = open_http2();
  ASSERT_TRUE(until([&] { return client_->answers[stream].status == 200; }));
  EXPECT_EQ(h2_find(client_->answers[stream].fields, "sec-websocket-accept"), "(none)");
  client_->send(stream, ws_text("one"));
  ASSERT_TRUE(until([&] { return !client_->answers[stream].body.empty(); }));
  EXPECT_EQ(ws_frames(client_->answers[stream].body), (std::vector<WsFrame>{{kWsText, "one"}}));
  EXPECT_EQ(exchange(0).head.method, "CONNECT");
  EXPECT_EQ(exchange(0).head.target, "/chat");
  EXPECT_TRUE(exchange(0).head.is_web_socket);
  client_->send(stream, ws_frame({kWsClose, ws_close(1000)}));
  ASSERT_TRUE(until([&] { return client_->answers[stream].ended; }));
  EXPECT_EQ(exchange(0).end_status.code, Code::Cancelled);
}

TEST_F(WebSocketSessionTest, AResetStreamCancels) {
  const int32_t stream = open_http2();
  ASSERT_TRUE(until([&] { return client_->answers[stream].status == 200; }));
  client_->reset(stream);
  EXPECT_TRUE(until([&] { return exchange(0).ends == 1; }));
  EXPECT_EQ(exchange(0).end_status.code, Code::Cancelled);
}

TEST_F(WebSocketSessionTest, ASilentStreamIsNoSlowBody) {
  options_.limits.body_timeout = milliseconds(10);
  const int32_t stream = open_http2();
  ASSERT_TRUE(until([&] { return client_->answers[stream].status == 200; }));
  until([] { return false; }, milliseconds(60));
  client_->send(stream, ws_text("still there"));
  EXPECT_TRUE(until([&] { return !client_->answers[stream].body.empty(); }));
}

TEST_F(WebSocketSessionTest, OverHttp2OthersThanWebSocketsAreRefused) {
  const int32_t version = open_http2({{"sec-websocket-version", "8"}});
  EXPECT_TRUE(until([&] { return client_->answers[version].status == 400; }));
  struct Case {
    H2Fields fields;
    int status;
  };
  const Case cases[] = {
      {{{":method", "CONNECT"}, {":protocol", "connect-udp"}, {":scheme", "http"}, {":path", "/"}, {":authority", "h"}}, 501},
      {{{":method", "CONNECT"}, {":authority", "h"}}, 501},
  };
  for (const Case& each : cases) {
    const int32_t stream = client_->request(each.fields, "", false);
    EXPECT_TRUE(until([&] { return client_->answers[stream].status == each.status; }));
  }
  EXPECT_EQ(exchanges(), 0U);
}

TEST_F(WebSocketSessionTest, AHandlerThatDoesNotReadKeepsTheStreamsWindowClosed) {
  acceptor_.on_body = nullptr;
  acceptor_.consumes = false;
  const int32_t stream = open_http2();
  ASSERT_TRUE(until([&] { return client_->answers[stream].status == 200; }));
  client_->send(stream, ws_frame({kWsBinary, std::string(1'000'000, 'x')}));
  ASSERT_TRUE(until([&] { return exchange(0).body.size() >= options_.exchange_window - kKiB; }));
  until([] { return false; }, milliseconds(20));
  EXPECT_LE(exchange(0).body.size(), options_.exchange_window + kKiB);
}

}  // namespace
}  // namespace transom
