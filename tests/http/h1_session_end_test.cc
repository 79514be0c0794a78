#include <string>
#include <vector>

#include "http/h1_refused_cases.h"
#include "http/h1_session.h"
#include "http/session_fixture.h"

namespace transom {
namespace {

using std::chrono::milliseconds;

class H1SessionEndTest : public SessionFixture {
 protected:
  void echo() {
    acceptor_.on_end = [](Exchange& exchange, ExchangeNotes& notes) {
      answer(exchange, 200, exchange.head().method + " " + exchange.head().target + " " + notes.body);
    };
  }
};

TEST_F(H1SessionEndTest, RefusesInTheOneJsonShapeAndCloses) {
  struct Case {
    const char* text;
    const char* start;
    const char* body;
  };
  const Case cases[] = {
      {"GET / HTTP/1.1\r\n\r\n", "HTTP/1.1 400 Bad Request\r\n", "{\"code\":3}"},
      {"GET / HTTP/1.1\r\nHost: h\r\nExpect: x\r\n\r\n", "HTTP/1.1 400 ", "{\"code\":3}"},
      {"GET / HTTP/3.0\r\nHost: h\r\n\r\n", "HTTP/1.1 400 ", "{\"code\":3}"},
      {"CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n", "HTTP/1.1 501 ", "{\"code\":12}"},
  };
  serve();
  for (const Case& each : cases) {
    auto client = connect();
    client->send(each.text);
    EXPECT_TRUE(wait_for_end(*client)) << each.text;
    EXPECT_TRUE(client->received.starts_with(each.start)) << client->received;
    EXPECT_NE(client->received.find("content-type: application/json\r\n"), std::string::npos);
    EXPECT_NE(client->received.find("connection: close\r\n"), std::string::npos);
    EXPECT_TRUE(client->received.ends_with(each.body)) << client->received;
  }
  EXPECT_EQ(exchanges(), 0U);
  ASSERT_GE(refusals_.size(), 4U);
  EXPECT_EQ(refusals_[0].status, 400);
  EXPECT_EQ(refusals_[0].version, HttpVersion::Http1);
}

// Whatever it is cut into, and whatever its next line looks like, what is refused is also told.
TEST_F(H1SessionEndTest, EveryRequestThatIsRefusedGetsItsStatus) {
  std::vector<RefusedCase> cases = head_cases();
  for (const RefusedCase& each : framing_cases()) {
    cases.push_back(each);
  }
  serve();
  for (const RefusedCase& each : cases) {
    for (size_t piece : {size_t{13}, each.text.size()}) {
      if (each.text.size() > 10 * kKiB && piece == 13) {
        continue;
      }
      auto client = connect();
      size_t sent = 0;
      EXPECT_TRUE(wait(*client, [&] {
        sent += client->send(std::string_view(each.text).substr(sent, piece));
        return client->has_closed();
      })) << each.what;
      EXPECT_TRUE(client->received.starts_with("HTTP/1.1 " + std::to_string(each.status) + " "))
          << each.what << " in pieces of " << piece << ": " << client->received;
      EXPECT_TRUE(client->has_eof) << each.what;
    }
  }
}

TEST_F(H1SessionEndTest, ABrokenBodyEndsTheExchangeWith400) {
  echo();
  serve();
  auto client = connect();
  client->send("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nx\r\n");
  EXPECT_TRUE(wait_for_end(*client));
  EXPECT_TRUE(client->received.starts_with("HTTP/1.1 400 ")) << client->received;
  EXPECT_EQ(exchange(0).ends, 1);
  EXPECT_EQ(exchange(0).end_status.code, Code::InvalidArgument);
  EXPECT_FALSE(exchange(0).request_ended);
}

TEST_F(H1SessionEndTest, AClientThatGoesIsTold) {
  serve();
  auto waiting = connect();
  waiting->send("GET /a HTTP/1.1\r\nHost: h\r\n\r\n");
  EXPECT_TRUE(wait(*waiting, [&] { return exchanges() == 1; }));
  waiting->close();
  auto sending = connect();
  sending->send("POST /b HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nab");
  EXPECT_TRUE(wait(*sending, [&] { return exchanges() == 2 && exchange(0).ends == 1; }));
  sending->end();
  EXPECT_TRUE(wait(*sending, [&] { return exchange(1).ends == 1; }));
  EXPECT_EQ(exchange(0).end_status.code, Code::Cancelled);
  EXPECT_EQ(exchange(1).end_status.code, Code::Cancelled);
  EXPECT_EQ(sessions_->open_exchanges(), 0U);
  EXPECT_TRUE(wait(*sending, [&] { return sessions_->open_sessions() == 0; }));
}

TEST_F(H1SessionEndTest, AClientThatOnlyEndsItsSideGetsALateAnswerToo) {
  options_.limits.half_close_grace = milliseconds(20);
  Exchange* open = nullptr;
  acceptor_.on_end = [&](Exchange& exchange, ExchangeNotes&) { open = &exchange; };
  serve();
  auto client = connect();
  client->send("GET /a HTTP/1.1\r\nHost: h\r\n\r\n");
  client->end();
  EXPECT_TRUE(wait_for(*client, "HTTP/1.1 100 Continue\r\n\r\n")) << "it is asked whether it is there";
  idle(*client, milliseconds(50));
  EXPECT_EQ(exchange(0).ends, 0);
  answer(*open, 200, "late");
  EXPECT_TRUE(wait_for_end(*client));
  EXPECT_TRUE(client->has_eof);
  EXPECT_TRUE(client->received.ends_with("late")) << client->received;
  EXPECT_NE(client->received.find("connection: close\r\n"), std::string::npos);
  EXPECT_TRUE(exchange(0).end_status.ok());
  EXPECT_TRUE(run_until(loop_, [&] { return sessions_->open_sessions() == 0; }));
}

TEST_F(H1SessionEndTest, AClientThatGoesWhileItsAnswerIsAwaitedIsToldHoweverItGoes) {
  options_.limits.half_close_grace = milliseconds(20);
  acceptor_.on_end = [&](Exchange& exchange, ExchangeNotes&) {
    if (exchange.head().target == "/begun") {
      exchange.send_head(ResponseHead{});
    }
  };
  serve();
  const struct {
    const char* text;
    void (RawClient::*leave)();
  } cases[] = {
      {"GET / HTTP/1.1\r\nHost: h\r\n\r\n", &RawClient::close},
      {"GET / HTTP/1.1\r\nHost: h\r\n\r\n", &RawClient::abort},
      {"GET / HTTP/1.1\r\nHost: h\r\n\r\nGET /next HTTP/1.1\r\n", &RawClient::close},
      // Nothing can be asked: what may be gone is gone.
      {"GET / HTTP/1.0\r\n\r\n", &RawClient::end},
      {"GET /begun HTTP/1.1\r\nHost: h\r\n\r\n", &RawClient::end},
  };
  for (size_t i = 0; i < std::size(cases); ++i) {
    auto client = connect();
    client->send(cases[i].text);
    ASSERT_TRUE(run_until(loop_, [&] { return exchanges() == i + 1; }));
    run_for(loop_, milliseconds(5));
    ((*client).*cases[i].leave)();
    EXPECT_TRUE(run_until(loop_, [&] { return exchange(i).ends == 1; })) << i;
    EXPECT_EQ(exchange(i).end_status.code, Code::Cancelled) << i;
  }
  EXPECT_TRUE(run_until(loop_, [&] { return sessions_->open_sessions() == 0; }));
}

// Nothing of its body is taken, so that the session pauses with some of it unread.
TEST_F(H1SessionEndTest, AClientThatGoesWhileItsBodyIsNotTakenIsToldAtOnce) {
  acceptor_.consumes = false;
  acceptor_.on_head = [](Exchange& exchange, ExchangeNotes&) {
    if (exchange.head().target == "/begun") {
      exchange.send_head(ResponseHead{});
    }
  };
  serve();
  const struct {
    const char* head;
    void (RawClient::*leave)();
  } cases[] = {
      {"POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n40000\r\n", &RawClient::close},
      {"POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n40000\r\n", &RawClient::abort},
      {"POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 300000\r\n\r\n", &RawClient::close},
      {"POST / HTTP/1.0\r\nContent-Length: 300000\r\n\r\n", &RawClient::end},
      {"POST /begun HTTP/1.1\r\nHost: h\r\nContent-Length: 300000\r\n\r\n", &RawClient::end},
  };
  for (size_t i = 0; i < std::size(cases); ++i) {
    auto client = connect();
    client->send(cases[i].head + std::string(100'000, 'x'));
    ASSERT_TRUE(run_until(loop_, [&] { return exchanges() == i + 1 && !exchange(i).body.empty(); })) << i;
    run_for(loop_, milliseconds(5));
    ((*client).*cases[i].leave)();
    EXPECT_TRUE(run_until(loop_, [&] { return exchange(i).ends == 1; })) << i;
    EXPECT_EQ(exchange(i).end_status.code, Code::Cancelled) << i;
    EXPECT_LT(exchange(i).body.size(), 100'000U) << i;
  }
  EXPECT_TRUE(run_until(loop_, [&] { return sessions_->open_sessions() == 0; }));
}

TEST_F(H1SessionEndTest, AClientThatOnlyEndsItsSideBehindABodyNotTakenYetIsAnswered) {
  Exchange* open = nullptr;
  size_t taken = 0;
  bool takes = false;
  acceptor_.consumes = false;
  acceptor_.on_body = [&](Exchange& exchange, ExchangeNotes& notes) {
    open = &exchange;
    if (takes) {
      exchange.consume(notes.body.size() - std::exchange(taken, notes.body.size()));
    }
  };
  acceptor_.on_end = [&](Exchange& exchange, ExchangeNotes&) { answer(exchange, 200, "all of it"); };
  serve();
  auto client = connect();
  client->send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 100000\r\n\r\n" + std::string(100'000, 'x'));
  client->end();
  EXPECT_TRUE(wait_for(*client, "HTTP/1.1 100 Continue\r\n\r\n")) << "it is asked whether it is there";
  idle(*client, milliseconds(20));
  EXPECT_EQ(exchange(0).ends, 0);
  takes = true;
  taken = exchange(0).body.size();
  open->consume(taken);
  EXPECT_TRUE(wait_for_end(*client));
  EXPECT_EQ(exchange(0).body.size(), 100'000U);
  EXPECT_TRUE(client->received.ends_with("all of it")) << client->received;
}

TEST_F(H1SessionEndTest, AllThatAClientAskedForBeforeItEndedItsSideIsAnswered) {
  options_.limits.requests_per_turn = 2;
  echo();
  serve();
  auto client = connect();
  std::string text;
  for (int i = 0; i < 5; ++i) {
    text += "GET /" + std::to_string(i) + " HTTP/1.1\r\nHost: h\r\n\r\n";
  }
  client->send(text + "GET /cut HT");
  client->end();
  EXPECT_TRUE(wait_for_end(*client));
  for (int i = 0; i < 5; ++i) {
    EXPECT_NE(client->received.find("GET /" + std::to_string(i) + " "), std::string::npos) << client->received;
  }
  EXPECT_EQ(client->received.find("100 Continue"), std::string::npos) << "answers that do not wait ask nothing";
  EXPECT_EQ(exchanges(), 5U);
  EXPECT_TRUE(run_until(loop_, [&] { return sessions_->open_sessions() == 0; }));
}

TEST_F(H1SessionEndTest, AClientThatOnlyEndsItsSideGetsACompleteAnswer) {
  echo();
  serve();
  for (const char* text : {"GET /a HTTP/1.1\r\nHost: h\r\n\r\n", "GET /a HTTP/1.1\r\n\r\n", "GET / HTTP/9.9\r\n"}) {
    auto client = connect();
    client->send(text);
    client->end();
    EXPECT_TRUE(wait_for_end(*client));
    EXPECT_TRUE(client->received.starts_with("HTTP/1.1 ")) << text;
    EXPECT_TRUE(client->has_eof);
  }
  EXPECT_TRUE(run_until(loop_, [&] { return sessions_->open_sessions() == 0; }));
}

TEST_F(H1SessionEndTest, WaitsOnlySoLong) {
  options_.limits.idle = milliseconds(40);
  options_.limits.header_timeout = milliseconds(80);
  options_.limits.body_timeout = milliseconds(60);
  serve();
  auto silent = connect();
  EXPECT_TRUE(wait_for_end(*silent));
  EXPECT_EQ(silent->received, "");
  auto slow_head = connect();
  slow_head->send("GET / HT");
  EXPECT_TRUE(wait_for_end(*slow_head));
  EXPECT_TRUE(slow_head->received.starts_with("HTTP/1.1 408 ")) << slow_head->received;
  EXPECT_NE(slow_head->received.find("connection: close"), std::string::npos);
  auto slow_body = connect();
  slow_body->send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nab");
  EXPECT_TRUE(wait_for_end(*slow_body));
  EXPECT_TRUE(slow_body->received.starts_with("HTTP/1.1 408 ")) << slow_body->received;
  EXPECT_EQ(exchange(0).end_status.code, Code::DeadlineExceeded);
  EXPECT_EQ(exchange(0).ends, 1);
}

TEST_F(H1SessionEndTest, DrippingAHeadDoesNotProlongIt) {
  options_.limits.header_timeout = milliseconds(100);
  serve();
  auto client = connect();
  client->send("GET / HTTP/1.1\r\n");
  EXPECT_TRUE(wait(
      *client,
      [&] {
        client->send("A: b\r\n");
        return client->has_closed();
      },
      milliseconds(3000)));
  EXPECT_TRUE(client->received.starts_with("HTTP/1.1 408 ") || client->received.starts_with("HTTP/1.1 431 "))
      << client->received;
}

TEST_F(H1SessionEndTest, AClientThatNeverReadsIsCutOff) {
  options_.limits.write_timeout = milliseconds(60);
  acceptor_.on_end = [](Exchange& exchange, ExchangeNotes&) { answer(exchange, 200, std::string(16 * kMiB, 'x')); };
  serve();
  auto client = connect(4096);
  client->send("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
  EXPECT_TRUE(run_until(loop_, [&] { return exchanges() == 1 && exchange(0).ends == 1; }));
  EXPECT_EQ(exchange(0).end_status.code, Code::Cancelled);
  EXPECT_EQ(account_.held_bytes(), 0U);
}

TEST_F(H1SessionEndTest, ErrorsOfItsOwnCarryARequestId) {
  options_.error_id = [](const Fields& fields) {
    return "id-" + std::string(fields.find("x-request-id").value_or("none"));
  };
  serve();
  auto client = connect();
  client->send("GET / HTTP/1.1\r\nX-Request-Id: 7\r\nHost: h\r\nHost: h\r\n\r\n");
  EXPECT_TRUE(wait_for_end(*client));
  EXPECT_NE(client->received.find("x-request-id: id-7\r\n"), std::string::npos) << client->received;
  ASSERT_EQ(refusals_.size(), 1U);
  EXPECT_EQ(refusals_[0].id, "id-7");
  EXPECT_EQ(refusals_[0].peer.substr(0, 10), "127.0.0.1:");
  EXPECT_EQ(refusals_[0].method, "GET");
  EXPECT_EQ(refusals_[0].target, "/");
  // Of a request that has its handler the handler knows the id.
  auto broken = connect();
  broken->send("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n");
  EXPECT_TRUE(wait_for_end(*broken));
  EXPECT_NE(broken->received.find("x-request-id: of-the-handler\r\n"), std::string::npos) << broken->received;
  EXPECT_EQ(refusals_.size(), 1U);
}

TEST_F(H1SessionEndTest, ErrorsOfItsOwnCarryWhatTheListenerAddsToEveryAnswer) {
  options_.error_fields = [](const Fields& request, Fields& answer) {
    answer.add("x-of-listener", request.find("origin").value_or("none"));
  };
  serve();
  const struct {
    std::string request;
    std::string expected;
  } rows[] = {
      {"GET / HTTP/1.1\r\nOrigin: a\r\nHost: h\r\nHost: h\r\n\r\n", "x-of-listener: a\r\n"},
      {"POST / HTTP/1.1\r\nHost: h\r\nOrigin: b\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n", "x-of-listener: b\r\n"},
      {"GET / HTTP/9.9\r\n\r\n", "x-of-listener: none\r\n"},
  };
  for (const auto& row : rows) {
    auto client = connect();
    client->send(row.request);
    EXPECT_TRUE(wait_for_end(*client));
    EXPECT_NE(client->received.find(row.expected), std::string::npos) << client->received;
  }
}

TEST_F(H1SessionEndTest, LeavesASessionThatSpeaksNothingWithoutAnAnswer) {
  serve();
  auto client = connect();
  client->send("INVALID CONNECTION PREFACE\r\n\r\n");
  EXPECT_TRUE(wait_for_end(*client));
  EXPECT_EQ(client->received, "");
}

TEST_F(H1SessionEndTest, ClosingTheSetEndsAllExchanges) {
  serve();
  auto client = connect();
  client->send("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
  EXPECT_TRUE(wait(*client, [&] { return exchanges() == 1; }));
  sessions_.reset();
  EXPECT_EQ(exchange(0).ends, 1);
  EXPECT_EQ(exchange(0).end_status.code, Code::Cancelled);
}

}  // namespace
}  // namespace transom
