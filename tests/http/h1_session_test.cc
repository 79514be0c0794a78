#include "http/h1_session.h"

#include "http/session_fixture.h"

namespace transom {
namespace {

using std::chrono::milliseconds;

size_t count(const std::string& text, std::string_view part) {
  size_t found = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++found;
  }
  return found;
}

class H1SessionTest : public SessionFixture {
 protected:
  // Echoes method, target and body when the request has ended.
  void echo() {
    acceptor_.on_end = [](Exchange& exchange, ExchangeNotes& notes) {
      answer(exchange, 200, exchange.head().method + " " + exchange.head().target + " " + notes.body);
    };
  }
};

TEST_F(H1SessionTest, KeepsTheSessionAndAnswersInOrder) {
  echo();
  serve();
  auto client = connect();
  client->send("GET /a HTTP/1.1\r\nHost: h\r\n\r\n");
  EXPECT_TRUE(wait_for(*client, "GET /a "));
  client->send("POST /b HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabcGET /c HTTP/1.1\r\nHost: h\r\n\r\nGET /d");
  EXPECT_TRUE(wait_for(*client, "GET /c "));
  client->send(" HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
  EXPECT_TRUE(wait_for_end(*client));
  const std::string& got = client->received;
  EXPECT_LT(got.find("GET /a "), got.find("POST /b abc"));
  EXPECT_LT(got.find("POST /b abc"), got.find("GET /c "));
  EXPECT_LT(got.find("GET /c "), got.find("GET /d "));
  EXPECT_EQ(count(got, "HTTP/1.1 200 OK\r\n"), 4U);
  EXPECT_EQ(count(got, "\r\ndate: "), 4U);
  EXPECT_EQ(count(got, "connection: close"), 1U);
  EXPECT_TRUE(client->has_eof);
  EXPECT_EQ(exchange(0).head.peer.substr(0, 10), "127.0.0.1:");
  EXPECT_EQ(exchange(0).head.scheme, "http");
  for (size_t i = 0; i < exchanges(); ++i) {
    EXPECT_EQ(exchange(i).ends, 1);
    EXPECT_TRUE(exchange(i).end_status.ok());
  }
}

TEST_F(H1SessionTest, AnswersMoreAtOnceThanOneTurnBegins) {
  echo();
  serve();
  auto client = connect();
  std::string text;
  for (int i = 0; i < 200; ++i) {
    text += "GET /" + std::to_string(i) + " HTTP/1.1\r\nHost: h\r\n\r\n";
  }
  client->send(text);
  EXPECT_TRUE(wait_for(*client, "GET /199 "));
  size_t at = 0;
  for (int i = 0; i < 200; ++i) {
    at = client->received.find("GET /" + std::to_string(i) + " ", at);
    ASSERT_NE(at, std::string::npos) << i;
  }
}

// RFC 9112 section 2.2: older clients send an empty line after a body.
TEST_F(H1SessionTest, EmptyLinesBeforeARequestAreIgnored) {
  echo();
  serve();
  auto client = connect();
  client->send("\r\n");
  idle(*client, milliseconds(5));
  client->send("GET /a HTTP/1.1\r\nHost: h\r\n\r\n\r\nGET /b HTTP/1.1\r\nHost: h\r\n\r\n");
  EXPECT_TRUE(wait_for(*client, "GET /b "));
  EXPECT_EQ(count(client->received, "HTTP/1.1 200 OK"), 2U);
}

TEST_F(H1SessionTest, ReadsChunksAndTrailers) {
  echo();
  serve();
  auto client = connect();
  client->send("POST /a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n");
  idle(*client, milliseconds(5));
  client->send("3;x=y\r\ndef\r\n0\r\nX-After: v\r\nHost: evil\r\n\r\nGET /b HTTP/1.1\r\nHost: h\r\n\r\n");
  EXPECT_TRUE(wait_for(*client, "GET /b "));
  EXPECT_EQ(exchange(0).body, "abcdef");
  EXPECT_EQ(exchange(0).trailers.find("x-after"), "v");
  EXPECT_EQ(exchange(0).head.content_length, -1);
  EXPECT_TRUE(exchange(0).head.has_body);
  EXPECT_EQ(exchange(0).head.authority, "h");
}

TEST_F(H1SessionTest, StreamsAnAnswerInChunksWithTrailers) {
  Exchange* open = nullptr;
  acceptor_.on_end = [&](Exchange& exchange, ExchangeNotes&) {
    open = &exchange;
    exchange.send_head(ResponseHead{});
    exchange.send("first");
  };
  serve();
  auto client = connect();
  client->send("GET /a HTTP/1.1\r\nHost: h\r\nTE: trailers\r\n\r\n");
  EXPECT_TRUE(wait_for(*client, "5\r\nfirst\r\n"));
  EXPECT_TRUE(open->accepts_trailers());
  open->send("second");
  EXPECT_TRUE(wait_for(*client, "6\r\nsecond\r\n"));
  Fields trailers;
  trailers.add("grpc-status", "0");
  open->finish(trailers);
  EXPECT_TRUE(wait_for(*client, "0\r\ngrpc-status: 0\r\n\r\n"));
  EXPECT_EQ(exchange(0).ends, 1);
}

TEST_F(H1SessionTest, ServesHttp10UntilClosed) {
  acceptor_.on_end = [](Exchange& exchange, ExchangeNotes&) {
    exchange.send_head(ResponseHead{});
    exchange.send("first");
  };
  serve();
  auto client = connect();
  client->send("GET /a HTTP/1.0\r\n\r\n");
  EXPECT_TRUE(wait_for(*client, "first"));
  EXPECT_EQ(client->received.find("transfer-encoding"), std::string::npos);
  EXPECT_NE(client->received.find("connection: close\r\n"), std::string::npos);
}

TEST_F(H1SessionTest, KeepsHttp10AliveWhenAskedTo) {
  echo();
  serve();
  auto client = connect();
  client->send("GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
  EXPECT_TRUE(wait_for(*client, "GET /a "));
  EXPECT_NE(client->received.find("connection: keep-alive\r\n"), std::string::npos);
  client->send("GET /b HTTP/1.0\r\n\r\n");
  EXPECT_TRUE(wait_for_end(*client));
  EXPECT_NE(client->received.find("GET /b "), std::string::npos);
}

TEST_F(H1SessionTest, HeadHasNoBody) {
  echo();
  serve();
  auto client = connect();
  client->send("HEAD /a HTTP/1.1\r\nHost: h\r\n\r\nGET /b HTTP/1.1\r\nHost: h\r\n\r\n");
  EXPECT_TRUE(wait_for(*client, "GET /b "));
  EXPECT_EQ(client->received.find("HEAD /a"), std::string::npos);
  EXPECT_EQ(count(client->received, "content-length: "), 1U) << "of GET alone (RFC 9110 section 8.6)";
  EXPECT_EQ(count(client->received, "HTTP/1.1 200"), 2U);
}

TEST_F(H1SessionTest, SaysContinueOnlyWhenTheHandlerWaits) {
  echo();
  serve();
  auto client = connect();
  client->send("POST /a HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n");
  EXPECT_TRUE(wait_for(*client, "HTTP/1.1 100 Continue\r\n\r\n"));
  client->send("abc");
  EXPECT_TRUE(wait_for(*client, "POST /a abc"));
  client->received.clear();
  client->send("POST /b HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\nabc");
  EXPECT_TRUE(wait_for(*client, "POST /b abc"));
  EXPECT_EQ(count(client->received, "100 Continue"), 0U);
}

TEST_F(H1SessionTest, AnswersAtOnceWithoutContinueAndCloses) {
  acceptor_.on_head = [](Exchange& exchange, ExchangeNotes&) { answer(exchange, 413, "no"); };
  serve();
  auto client = connect();
  client->send("POST /a HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n");
  EXPECT_TRUE(wait_for_end(*client));
  EXPECT_EQ(count(client->received, "100 Continue"), 0U);
  EXPECT_EQ(count(client->received, "connection: close"), 1U);
  EXPECT_TRUE(exchange(0).end_status.ok());
  EXPECT_FALSE(exchange(0).request_ended);
}

TEST_F(H1SessionTest, AnEarlyAnswerIsReadableWhateverTheClientStillSends) {
  acceptor_.on_head = [](Exchange& exchange, ExchangeNotes&) { answer(exchange, 413, "too large"); };
  serve();
  auto client = connect();
  std::string head = "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 20000000\r\n\r\n";
  client->send(head);
  std::string piece(64 * kKiB, 'x');
  size_t sent = 0;
  // Sends on until the session has ended: no reset may overtake the answer.
  EXPECT_TRUE(wait(*client, [&] {
    sent += client->send(piece);
    return client->has_eof || client->has_reset;
  }));
  EXPECT_TRUE(client->has_eof);
  EXPECT_GT(sent, 0U);
  EXPECT_TRUE(client->received.starts_with("HTTP/1.1 413 ")) << client->received;
  EXPECT_TRUE(client->received.ends_with("too large"));
  EXPECT_NE(client->received.find("connection: close\r\n"), std::string::npos);
}

TEST_F(H1SessionTest, ASmallRestOfABodyIsDroppedAndTheSessionKept) {
  acceptor_.on_head = [](Exchange& exchange, ExchangeNotes&) { answer(exchange, 404, exchange.head().target); };
  serve();
  auto client = connect();
  client->send("POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 1000\r\n\r\n");
  EXPECT_TRUE(wait_for(*client, "\r\n\r\n/a"));
  EXPECT_EQ(client->received.find("connection: close"), std::string::npos);
  client->send(std::string(1000, 'x') + "GET /b HTTP/1.1\r\nHost: h\r\n\r\n");
  EXPECT_TRUE(wait_for(*client, "\r\n\r\n/b"));
  EXPECT_EQ(exchange(0).body, "");
}

TEST_F(H1SessionTest, HoldsNoMoreThanItsWindowOfABodyNobodyConsumes) {
  acceptor_.consumes = false;
  Exchange* open = nullptr;
  acceptor_.on_head = [&](Exchange& exchange, ExchangeNotes&) { open = &exchange; };
  serve();
  auto client = connect();
  const size_t bytes = 4 * kMiB;
  std::string text =
      "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: " + std::to_string(bytes) + "\r\n\r\n" + std::string(bytes, 'x');
  size_t sent = client->send(text);
  idle(*client, milliseconds(50));
  EXPECT_EQ(exchange(0).body.size(), options_.exchange_window);
  EXPECT_LE(account_.held_bytes(), 2 * options_.limits.read_per_turn);
  acceptor_.on_end = {};
  size_t consumed = 0;
  EXPECT_TRUE(wait(*client, [&] {
    sent += client->send(std::string_view(text).substr(sent));
    size_t fresh = exchange(0).body.size() - consumed;
    consumed += fresh;
    open->consume(fresh);
    return exchange(0).request_ended;
  }));
  EXPECT_EQ(exchange(0).body.size(), bytes);
  EXPECT_EQ(open->request_body_bytes(), bytes);
}

TEST_F(H1SessionTest, PausedBodiesStopAfterOneWindowWhileSmallRequestsGoOn) {
  echo();
  serve();
  sessions_->pause_bodies(true);
  auto big = connect();
  const size_t bytes = 512 * kKiB;
  std::string text = "POST /big HTTP/1.1\r\nHost: h\r\nContent-Length: " + std::to_string(bytes) + "\r\n\r\n" +
                     std::string(bytes, 'x');
  size_t sent = big->send(text);
  auto small = connect();
  small->send("POST /small HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc");
  EXPECT_TRUE(wait_for(*small, "POST /small abc"));
  idle(*big, milliseconds(50));
  EXPECT_EQ(exchange(0).body.size(), options_.exchange_window);
  sessions_->pause_bodies(false);
  EXPECT_TRUE(wait(*big, [&] {
    sent += big->send(std::string_view(text).substr(sent));
    return exchange(0).request_ended;
  }));
}

TEST_F(H1SessionTest, ASlowReaderFillsBuffersOnlyUpToTheirBounds) {
  Exchange* open = nullptr;
  size_t given = 0;
  auto fill = [&](Exchange& exchange, ExchangeNotes&) {
    while (given < 8 * kMiB && exchange.send(std::string(16 * kKiB, 'x')) <= options_.exchange_window) {
      given += 16 * kKiB;
    }
    given += 16 * kKiB;
  };
  acceptor_.on_end = [&](Exchange& exchange, ExchangeNotes& notes) {
    open = &exchange;
    exchange.send_head(ResponseHead{});
    fill(exchange, notes);
  };
  acceptor_.on_ready = fill;
  serve();
  auto client = connect(4096);
  client->send("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
  run_for(loop_, milliseconds(50));
  size_t stuck_at = given;
  EXPECT_LT(stuck_at, 4 * kMiB);
  EXPECT_GT(open->buffered(), 0U);
  EXPECT_TRUE(wait(*client, [&] { return given >= 8 * kMiB; }));
  EXPECT_GT(exchange(0).send_ready, 0);
}

TEST_F(H1SessionTest, AnAnswerThatIsCutLacksItsEnd) {
  acceptor_.on_end = [](Exchange& exchange, ExchangeNotes&) {
    exchange.send_head(ResponseHead{});
    exchange.send("part");
    exchange.abort(2);
  };
  serve();
  auto client = connect();
  client->send("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
  EXPECT_TRUE(wait_for_end(*client));
  EXPECT_TRUE(client->received.ends_with("4\r\npart\r\n")) << client->received;
  EXPECT_EQ(exchange(0).end_status.code, Code::Aborted);
  auto old = connect();
  old->send("GET / HTTP/1.0\r\n\r\n");
  EXPECT_TRUE(wait_for_end(*old));
  EXPECT_TRUE(old->has_reset) << "its end would look like the end of the body";
}

TEST_F(H1SessionTest, DrainsAfterTheOpenAnswer) {
  options_.limits.drain_idle = milliseconds(40);
  Exchange* open = nullptr;
  acceptor_.on_end = [&](Exchange& exchange, ExchangeNotes&) { open = &exchange; };
  serve();
  auto idle_client = connect();
  auto busy = connect();
  busy->send("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
  EXPECT_TRUE(wait(*busy, [&] { return open != nullptr && sessions_->open_sessions() == 2; }));
  sessions_->drain();
  EXPECT_TRUE(wait_for_end(*idle_client));
  EXPECT_EQ(sessions_->open_exchanges(), 1U);
  answer(*open, 200, "done");
  EXPECT_TRUE(wait_for_end(*busy));
  EXPECT_NE(busy->received.find("connection: close\r\n"), std::string::npos);
  EXPECT_TRUE(busy->received.ends_with("done"));
}

// RFC 9112 section 9.5: a client may have begun a request at the moment when its session is closed.
TEST_F(H1SessionTest, ARequestOnItsWayWhenTheDrainBeginsIsAnswered) {
  echo();
  serve();
  auto client = connect();
  client->send("GET /a HTTP/1.1\r\nHost: h\r\n\r\n");
  EXPECT_TRUE(wait(*client, [&] { return count(client->received, "HTTP/1.1 200") == 1; }));
  sessions_->drain();
  idle(*client, milliseconds(50));
  client->send("GET /b HTTP/1.1\r\nHost: h\r\n\r\n");
  EXPECT_TRUE(wait_for_end(*client));
  EXPECT_EQ(count(client->received, "HTTP/1.1 200"), 2U);
  EXPECT_EQ(count(client->received, "connection: close"), 1U);
}

TEST_F(H1SessionTest, EndsAfterItsNumberOfRequests) {
  options_.limits.requests = 2;
  echo();
  serve();
  auto client = connect();
  client->send(
      "GET /a HTTP/1.1\r\nHost: h\r\n\r\nGET /b HTTP/1.1\r\nHost: h\r\n\r\nGET /c HTTP/1.1\r\nHost: h\r\n\r\n");
  EXPECT_TRUE(wait_for_end(*client));
  EXPECT_EQ(count(client->received, "HTTP/1.1 200"), 2U);
  EXPECT_EQ(count(client->received, "connection: close"), 1U);
}

}  // namespace
}  // namespace transom
