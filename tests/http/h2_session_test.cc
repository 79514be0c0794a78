#include "http/h2_session.h"

#include "http/h2_test_client.h"

namespace transom {
namespace {

using std::chrono::milliseconds;

constexpr uint8_t kHeadersType = 1;
constexpr uint8_t kEndStream = 1;
constexpr uint8_t kEndHeaders = 4;

class H2SessionTest : public H2Fixture {};

TEST_F(H2SessionTest, AnswersManyStreams) {
  echo();
  open();
  std::vector<int32_t> streams;
  for (int i = 0; i < 100; ++i) {
    H2Fields fields = h2_get("/" + std::to_string(i), "POST");
    fields.emplace_back("cookie", "a=1");
    fields.emplace_back("cookie", "b=2");
    streams.push_back(client_->request(fields, "body" + std::to_string(i)));
  }
  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE(until_closed(streams[static_cast<size_t>(i)]));
    const H2Answer& answer = client_->answers[streams[static_cast<size_t>(i)]];
    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(answer.body, "POST /" + std::to_string(i) + " body" + std::to_string(i));
    EXPECT_EQ(answer.error, 0U);
    EXPECT_NE(h2_find(answer.fields, "date"), "(none)");
  }
  EXPECT_TRUE(until([&] { return sessions_->open_exchanges() == 0; }));
  EXPECT_EQ(exchange(0).head.version, HttpVersion::Http2);
  EXPECT_EQ(exchange(0).head.fields.find("cookie"), "a=1; b=2");
  EXPECT_EQ(exchange(0).head.authority, "h");
  EXPECT_TRUE(exchange(99).end_status.ok());
}

TEST_F(H2SessionTest, AHeadThatCarriesEverythingIsOneFrame) {
  acceptor_.on_end = [](Exchange& exchange, ExchangeNotes&) {
    ResponseHead head;
    head.fields.add("grpc-status", "5");
    exchange.send_head(head);
    exchange.finish(Fields{});
  };
  open();
  const H2Answer& answer = get(h2_get());
  EXPECT_EQ(answer.header_frames, 1U);
  EXPECT_EQ(answer.data_frames, 0U);
  EXPECT_TRUE(answer.ended_by_headers);
  EXPECT_EQ(h2_find(answer.fields, "grpc-status"), "5");
}

TEST_F(H2SessionTest, TrailersFollowABodyOrAHead) {
  acceptor_.on_end = [](Exchange& exchange, ExchangeNotes&) {
    exchange.send_head(ResponseHead{});
    if (exchange.head().target == "/body") {
      exchange.send("abc");
    }
    Fields trailers;
    trailers.add("grpc-status", "0");
    exchange.finish(trailers);
  };
  open();
  for (const char* path : {"/body", "/none"}) {
    H2Fields fields = h2_get(path);
    fields.emplace_back("te", "trailers");
    const H2Answer& answer = get(fields);
    EXPECT_EQ(h2_find(answer.trailers, "grpc-status"), "0") << path;
    EXPECT_EQ(answer.header_frames, 2U);
    EXPECT_EQ(answer.error, 0U);
  }
  // Whether a client wants them is for the handler to know.
  EXPECT_EQ(h2_find(get(h2_get("/body")).trailers, "grpc-status"), "0");
}

TEST_F(H2SessionTest, ReadsRequestTrailers) {
  echo();
  open();
  int32_t stream = client_->request(h2_get("/", "POST"), "abc", false);
  EXPECT_TRUE(until([&] { return exchanges() == 1 && exchange(0).body == "abc"; }));
  client_->finish_with_trailers(stream, {{"x-after", "v"}});
  EXPECT_TRUE(until_closed(stream));
  EXPECT_EQ(exchange(0).trailers.find("x-after"), "v");
  EXPECT_EQ(client_->answers[stream].body, "POST / abc");
}

TEST_F(H2SessionTest, ResetsACutAnswerAfterItsBytes) {
  acceptor_.on_end = [](Exchange& exchange, ExchangeNotes&) {
    if (exchange.head().target == "/bare") {
      exchange.abort(2);
      return;
    }
    exchange.send_head(ResponseHead{});
    if (exchange.head().target == "/bytes") {
      exchange.send(std::string(50'000, 'x'));
    }
    exchange.abort(2);
  };
  open();
  const H2Answer& bytes = get(h2_get("/bytes"));
  EXPECT_EQ(bytes.status, 200);
  EXPECT_EQ(bytes.body.size(), 50'000U);
  EXPECT_FALSE(bytes.ended);
  EXPECT_EQ(bytes.error, 2U);
  const H2Answer& head = get(h2_get("/head"));
  EXPECT_EQ(head.status, 200);
  EXPECT_EQ(head.error, 2U);
  const H2Answer& bare = get(h2_get("/bare"));
  EXPECT_EQ(bare.status, 0);
  EXPECT_EQ(bare.error, 2U);
  EXPECT_TRUE(until([&] { return exchange(2).ends == 1; }));
  EXPECT_EQ(exchange(0).end_status.code, Code::Aborted);
}

// Browsers forget what they have read and not handed out when the reset comes with it.
TEST_F(H2SessionTest, ACutAnswerCanBeReadBeforeItIsReset) {
  options_.limits.late_reset_delay = std::chrono::milliseconds(500);
  acceptor_.on_end = [](Exchange& exchange, ExchangeNotes&) {
    exchange.send_head(ResponseHead{});
    exchange.send("the last words");
    exchange.abort(2);
  };
  open();
  const int32_t stream = client_->request(h2_get("/"));
  EXPECT_TRUE(until([&] { return client_->answers[stream].body == "the last words"; }));
  EXPECT_EQ(client_->answers[stream].error, 0U);
  EXPECT_EQ(exchange(0).ends, 0);
  EXPECT_TRUE(until_closed(stream));
  EXPECT_EQ(client_->answers[stream].error, 2U);
}

TEST_F(H2SessionTest, HeadHasNoBody) {
  echo();
  open();
  const H2Answer& answer = get(h2_get("/", "HEAD"));
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.body, "");
  EXPECT_TRUE(answer.ended_by_headers);
  EXPECT_EQ(h2_find(answer.fields, "content-length"), "(none)") << "GET's length is not known (RFC 9110 section 8.6)";
}

TEST_F(H2SessionTest, RefusesWhatIsMalformedWithAnAnswer) {
  echo();
  open();
  struct Case {
    const char* what;
    H2Fields fields;
    int status;
  };
  H2Fields host = h2_get();
  host.emplace_back("host", "other");
  H2Fields many = h2_get();
  for (int i = 0; i < 101; ++i) {
    many.emplace_back("cookie", "c");
  }
  H2Fields large = h2_get();
  for (int i = 0; i < 20; ++i) {
    large.emplace_back("a" + std::to_string(i), std::string(3100, 'a'));
  }
  H2Fields expects = h2_get();
  expects.emplace_back("expect", "x");
  const Case cases[] = {
      {"fragment", h2_get("/a#b"), 400},
      {"scheme", {{":method", "GET"}, {":scheme", "ftp"}, {":authority", "h"}, {":path", "/"}}, 400},
      {"user information", {{":method", "GET"}, {":scheme", "http"}, {":authority", "u@h"}, {":path", "/"}}, 400},
      {"host", host, 400},
      {"many cookies", many, 431},
      {"large fields", large, 431},
      {"expectation", expects, 400},
      {"CONNECT", {{":method", "CONNECT"}, {":authority", "h:80"}}, 501},
      {"long path", h2_get("/" + std::string(33 * kKiB, 'a')), 431},
  };
  for (const Case& each : cases) {
    const H2Answer& answer = get(each.fields, each.status == 431 ? "" : "body");
    EXPECT_EQ(answer.status, each.status) << each.what;
    EXPECT_EQ(h2_find(answer.fields, "content-type"), "application/json");
    EXPECT_TRUE(answer.ended) << each.what;
    EXPECT_EQ(answer.error, 0U) << each.what;
  }
  EXPECT_EQ(exchanges(), 0U);
  ASSERT_EQ(refusals_.size(), std::size(cases));
  EXPECT_EQ(refusals_[0].method, "GET");
  EXPECT_EQ(refusals_[0].target, "/a#b");
  EXPECT_EQ(refusals_[0].peer.substr(0, 10), "127.0.0.1:");
  EXPECT_EQ(get(h2_get("/fine")).status, 200) << "the decoder's state was kept";
}

TEST_F(H2SessionTest, AHeadSoMalformedThatItsStreamIsResetIsToldToo) {
  open();
  H2Fields fields = h2_get("/reset");
  fields.emplace_back("connection", "close");
  EXPECT_EQ(get(fields).error, 1U) << "PROTOCOL_ERROR (RFC 9113 section 8.1.1)";
  ASSERT_EQ(refusals_.size(), 1U);
  EXPECT_EQ(refusals_[0].status, 400);
  EXPECT_EQ(refusals_[0].method, "GET");
  EXPECT_EQ(refusals_[0].target, "/reset");
  EXPECT_EQ(exchanges(), 0U);
}

TEST_F(H2SessionTest, SaysContinueOnlyWhenTheHandlerWaits) {
  echo();
  open();
  H2Fields fields = h2_get("/", "POST");
  fields.emplace_back("expect", "100-continue");
  int32_t stream = client_->request(fields, "", false);
  EXPECT_TRUE(until([&] { return client_->answers[stream].informational == std::vector<int>{100}; }));
  client_->finish_with_trailers(stream, {{"x", "y"}});
  EXPECT_TRUE(until_closed(stream));
  EXPECT_EQ(client_->answers[stream].status, 200);
  acceptor_.on_head = [](Exchange& exchange, ExchangeNotes&) { answer(exchange, 413, "no"); };
  stream = client_->request(fields, "", false);
  EXPECT_TRUE(until_closed(stream));
  EXPECT_EQ(client_->answers[stream].status, 413);
  EXPECT_TRUE(client_->answers[stream].informational.empty());
  EXPECT_EQ(client_->answers[stream].error, 0U);
}

TEST_F(H2SessionTest, HoldsNoMoreThanItsWindowOfABodyNobodyConsumes) {
  acceptor_.consumes = false;
  Exchange* open_exchange = nullptr;
  acceptor_.on_head = [&](Exchange& exchange, ExchangeNotes&) {
    if (exchange.head().target == "/held") {
      open_exchange = &exchange;
    }
  };
  acceptor_.on_end = [](Exchange& exchange, ExchangeNotes& notes) {
    answer(exchange, 200, std::to_string(notes.body.size()));
  };
  open();
  const size_t bytes = kMiB;
  int32_t stream = client_->request(h2_get("/held", "POST"), std::string(bytes, 'x'));
  until([] { return false; }, milliseconds(50));
  EXPECT_EQ(exchange(0).body.size(), options_.exchange_window);
  // Another stream of the session is not starved by it.
  const H2Answer& other = get(h2_get("/other", "POST"), std::string(60 * kKiB, 'y'));
  EXPECT_EQ(other.body, std::to_string(60 * kKiB));
  size_t consumed = 0;
  EXPECT_TRUE(until([&] {
    size_t fresh = exchange(0).body.size() - consumed;
    consumed += fresh;
    if (!exchange(0).request_ended) {
      open_exchange->consume(fresh);
    }
    return client_->answers[stream].closed;
  }));
  EXPECT_EQ(client_->answers[stream].body, std::to_string(bytes));
}

TEST_F(H2SessionTest, PausedBodiesStopAfterOneWindow) {
  echo();
  open();
  sessions_->pause_bodies(true);
  int32_t stream = client_->request(h2_get("/", "POST"), std::string(300 * kKiB, 'x'));
  EXPECT_EQ(get(h2_get("/small", "POST"), "abc").body, "POST /small abc");
  until([] { return false; }, milliseconds(50));
  EXPECT_EQ(exchange(0).body.size(), options_.exchange_window);
  sessions_->pause_bodies(false);
  EXPECT_TRUE(until_closed(stream));
  EXPECT_EQ(exchange(0).body.size(), 300 * kKiB);
}

TEST_F(H2SessionTest, ASlowReaderHoldsItsHandlerBack) {
  size_t given = 0;
  auto fill = [&](Exchange& exchange, ExchangeNotes&) {
    while (given < 4 * kMiB) {
      given += 16 * kKiB;
      if (exchange.send(std::string(16 * kKiB, 'x')) > options_.exchange_window) {
        return;
      }
    }
    exchange.finish(Fields{});
  };
  acceptor_.on_end = [&](Exchange& exchange, ExchangeNotes& notes) {
    exchange.send_head(ResponseHead{});
    fill(exchange, notes);
  };
  acceptor_.on_ready = fill;
  open(65535, false);
  int32_t stream = client_->request(h2_get());
  until([] { return false; }, milliseconds(50));
  EXPECT_EQ(client_->answers[stream].body.size(), 65535U);
  EXPECT_LT(given, 300 * kKiB);
  size_t consumed = 0;
  EXPECT_TRUE(until([&] {
    size_t fresh = client_->answers[stream].body.size() - consumed;
    consumed += fresh;
    client_->consume(stream, fresh);
    return client_->answers[stream].ended;
  }));
  EXPECT_EQ(client_->answers[stream].body.size(), 4 * kMiB);
  EXPECT_GT(exchange(0).send_ready, 0);
}

TEST_F(H2SessionTest, UpgradesARequestWithoutABody) {
  echo();
  serve();
  raw_ = connect();
  raw_->send(
      "GET /up HTTP/1.1\r\nHost: h\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: "
      "AAMAAABkAAQAAP__\r\n\r\n");
  EXPECT_TRUE(wait(*raw_, [&] { return raw_->received.find("\r\n\r\n") != std::string::npos; }));
  EXPECT_TRUE(raw_->received.starts_with("HTTP/1.1 101 "));
  raw_->received.erase(0, raw_->received.find("\r\n\r\n") + 4);
  raw_->send(kH2Preface + h2_frame(4, 0, 0, ""));
  EXPECT_TRUE(wait_for(*raw_, "GET /up "));
  EXPECT_EQ(exchange(0).head.version, HttpVersion::Http2);
  raw_->send(h2_frame(kHeadersType, kEndHeaders | kEndStream, 3, h2_block(h2_get("/next"))));
  EXPECT_TRUE(wait_for(*raw_, "GET /next "));
}

TEST_F(H2SessionTest, DoesNotUpgradeWithABodyOrBadSettings) {
  echo();
  serve();
  for (const char* text : {"POST /a HTTP/1.1\r\nHost: h\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: "
                           "h2c\r\nHTTP2-Settings: AAMAAABk\r\nContent-Length: 1\r\n\r\nx",
                           "GET /a HTTP/1.1\r\nHost: h\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: "
                           "h2c\r\nHTTP2-Settings: AAMAAA\r\n\r\n",
                           "GET /a HTTP/1.1\r\nHost: h\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: "
                           "h2c\r\nHTTP2-Settings: !!!!\r\n\r\n"}) {
    auto client = connect();
    client->send(text);
    EXPECT_TRUE(wait(*client, [&] { return client->received.find(" /a ") != std::string::npos; })) << text;
    EXPECT_TRUE(client->received.starts_with("HTTP/1.1 200 "));
  }
}

TEST_F(H2SessionTest, ManyRequestsAtOnceAreBegunOverSeveralTurns) {
  options_.limits.requests_per_turn = 4;
  echo();
  open();
  std::vector<int32_t> streams;
  for (int i = 0; i < 90; ++i) {
    streams.push_back(client_->request(h2_get("/" + std::to_string(i))));
  }
  for (int32_t stream : streams) {
    ASSERT_TRUE(until_closed(stream));
    EXPECT_EQ(client_->answers[stream].status, 200);
  }
}

TEST_F(H2SessionTest, AnswerShorterThanAnnouncedIsReset) {
  acceptor_.on_end = [](Exchange& exchange, ExchangeNotes&) {
    ResponseHead head;
    head.content_length = 10;
    exchange.send_head(head);
    exchange.send("abc");
    exchange.finish(Fields{});
  };
  open();
  const H2Answer& answer = get(h2_get());
  EXPECT_FALSE(answer.ended);
  EXPECT_EQ(answer.error, 2U);
}

}  // namespace
}  // namespace transom
