#include "http/h2_session.h"
#include "http/h2_test_client.h"

namespace transom {
namespace {

using std::chrono::milliseconds;

class H2SessionEndTest : public H2Fixture {};

TEST_F(H2SessionEndTest, AnEarlyAnswerIsWholeAndTheRestOfTheBodyUnwanted) {
  acceptor_.on_head = [](Exchange& exchange, ExchangeNotes&) { answer(exchange, 413, "too large"); };
  open();
  int32_t stream = client_->request(h2_get("/", "POST"), std::string(4 * kMiB, 'x'));
  EXPECT_TRUE(until_closed(stream));
  EXPECT_EQ(client_->answers[stream].status, 413);
  EXPECT_EQ(client_->answers[stream].body, "too large");
  EXPECT_TRUE(client_->answers[stream].ended);
  EXPECT_EQ(client_->answers[stream].error, 0U);
  EXPECT_TRUE(until([&] { return exchange(0).ends == 1; }));
  EXPECT_TRUE(exchange(0).end_status.ok());
}

TEST_F(H2SessionEndTest, TheRestOfABodyIsDroppedUpToABound) {
  options_.limits.dropped_stream_body = kMiB;
  acceptor_.on_head = [](Exchange& exchange, ExchangeNotes&) { answer(exchange, 404, "none"); };
  open();
  int32_t within = client_->request(h2_get("/", "POST"), std::string(kMiB, 'x'));
  EXPECT_TRUE(until_closed(within));
  EXPECT_TRUE(client_->has_sent_all(within)) << "it was let send to its end";
  int32_t beyond = client_->request(h2_get("/", "POST"), std::string(8 * kMiB, 'x'));
  EXPECT_TRUE(until_closed(beyond));
  EXPECT_FALSE(client_->has_sent_all(beyond)) << "it was told to stop";
  for (int32_t stream : {within, beyond}) {
    EXPECT_EQ(client_->answers[stream].status, 404);
    EXPECT_TRUE(client_->answers[stream].ended);
    EXPECT_EQ(client_->answers[stream].error, 0U);
  }
}

TEST_F(H2SessionEndTest, ABodyThatStopsAfterItsAnswerIsNotWaitedFor) {
  options_.limits.linger = milliseconds(40);
  acceptor_.on_head = [](Exchange& exchange, ExchangeNotes&) { answer(exchange, 404, "none"); };
  open();
  int32_t stream = client_->request(h2_get("/", "POST"), "abc", false);
  EXPECT_TRUE(until([&] { return exchanges() == 1 && exchange(0).ends == 1; }));
  EXPECT_TRUE(exchange(0).end_status.ok());
  EXPECT_TRUE(until_closed(stream));
  EXPECT_TRUE(client_->answers[stream].ended);
  EXPECT_EQ(client_->answers[stream].error, 0U);
}

TEST_F(H2SessionEndTest, AClientThatResetsOrGoesIsTold) {
  open();
  int32_t stream = client_->request(h2_get("/a"));
  client_->request(h2_get("/b"));
  EXPECT_TRUE(until([&] { return exchanges() == 2; }));
  client_->reset(stream);
  EXPECT_TRUE(until([&] { return exchange(0).ends == 1; }));
  EXPECT_EQ(exchange(0).end_status.code, Code::Cancelled);
  EXPECT_EQ(exchange(1).ends, 0);
  raw_->close();
  EXPECT_TRUE(run_until(loop_, [&] { return exchange(1).ends == 1 && sessions_->open_sessions() == 0; }));
  EXPECT_EQ(exchange(1).end_status.code, Code::Cancelled);
}

TEST_F(H2SessionEndTest, DrainsWithANoticeThenTheLastStream) {
  Exchange* first = nullptr;
  acceptor_.on_end = [&](Exchange& exchange, ExchangeNotes&) {
    if (first == nullptr) {
      first = &exchange;
    } else {
      answer(exchange, 200, "late");
    }
  };
  open();
  int32_t stream = client_->request(h2_get());
  EXPECT_TRUE(until([&] { return first != nullptr; }));
  sessions_->drain();
  EXPECT_TRUE(until([&] { return client_->goaways.size() == 2; }));
  EXPECT_EQ(client_->goaways[0].last_stream, 0x7fffffff);
  EXPECT_EQ(client_->goaways[0].error, 0U);
  EXPECT_EQ(client_->goaways[1].last_stream, stream);
  EXPECT_EQ(client_->goaways[1].error, 0U);
  answer(*first, 200, "done");
  EXPECT_TRUE(until_closed(stream));
  EXPECT_EQ(client_->answers[stream].body, "done");
  EXPECT_EQ(client_->answers[stream].error, 0U);
  EXPECT_TRUE(until([&] { return raw_->has_eof; }));
}

TEST_F(H2SessionEndTest, ARequestOnItsWayWhenTheNoticeComesIsAnswered) {
  echo();
  open();
  EXPECT_EQ(get(h2_get("/a")).status, 200);
  int32_t stream = client_->request(h2_get("/b"));
  sessions_->drain();
  EXPECT_TRUE(until_closed(stream));
  EXPECT_EQ(client_->answers[stream].body, "GET /b ");
  EXPECT_TRUE(until([&] { return raw_->has_eof; }));
}

TEST_F(H2SessionEndTest, EndsAfterItsNumberOfRequestsAndItsAge) {
  options_.limits.requests = 2;
  echo();
  open();
  EXPECT_EQ(get(h2_get()).status, 200);
  EXPECT_TRUE(client_->goaways.empty());
  EXPECT_EQ(get(h2_get()).status, 200);
  EXPECT_TRUE(until([&] { return raw_->has_eof; }));
  ASSERT_GE(client_->goaways.size(), 1U);  // nghttp2's client reads no more when the first finds no stream open
  EXPECT_EQ(client_->goaways[0].error, 0U);
}

TEST_F(H2SessionEndTest, AnOldSessionSaysGoodbye) {
  options_.limits.age = milliseconds(50);
  options_.limits.idle = milliseconds(400);
  open();
  EXPECT_TRUE(until([&] { return raw_->has_eof; }));
  ASSERT_FALSE(client_->goaways.empty());
  EXPECT_EQ(client_->goaways[0].error, 0U);
}

TEST_F(H2SessionEndTest, ClosingTheSetEndsAllExchanges) {
  open();
  client_->request(h2_get("/a"));
  client_->request(h2_get("/b"));
  EXPECT_TRUE(until([&] { return exchanges() == 2; }));
  sessions_.reset();
  EXPECT_EQ(exchange(0).ends, 1);
  EXPECT_EQ(exchange(1).ends, 1);
}

}  // namespace
}  // namespace transom
