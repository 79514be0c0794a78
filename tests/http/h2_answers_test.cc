#include "http/h2_answers.h"

#include "http/h2_test_client.h"

namespace transom {
namespace {

// Answers are seen here through a whole session; only what a session hides is checked by itself.
class H2AnswersTest : public SessionFixture {};

TEST_F(H2AnswersTest, WritesNoMoreThanATurnsBytesAtOnce) {
  options_.limits.write_per_turn = 32 * kKiB;
  Exchange* open = nullptr;
  acceptor_.on_end = [&](Exchange& exchange, ExchangeNotes&) {
    open = &exchange;
    exchange.send_head(ResponseHead{});
    exchange.send(std::string(kMiB, 'x'));
    exchange.finish(Fields{});
  };
  serve();
  auto raw = connect();
  H2TestClient client(*raw, 8 * kMiB);
  int32_t stream = client.request(h2_get());
  size_t most = 0;
  EXPECT_TRUE(run_until(loop_, [&] {
    size_t before = client.answers[stream].body.size();
    client.pump();
    most = std::max(most, client.answers[stream].body.size() - before);
    return client.answers[stream].closed;
  }));
  EXPECT_EQ(client.answers[stream].body.size(), kMiB);
  // Two phases of the loop flush between two looks of the test, and a frame may go over by its own size.
  EXPECT_GT(client.answers[stream].data_frames, 32U);
}

TEST_F(H2AnswersTest, StreamsShareTheSession) {
  acceptor_.on_end = [&](Exchange& exchange, ExchangeNotes&) {
    answer(exchange, 200, exchange.head().target == "/big" ? std::string(8 * kMiB, 'x') : "small");
  };
  serve();
  auto raw = connect();
  H2TestClient client(*raw, 16 * kMiB);
  nghttp2_session_set_local_window_size(client.session(), NGHTTP2_FLAG_NONE, 0, 16 << 20);
  client.pump();
  int32_t big = client.request(h2_get("/big"));
  int32_t small = client.request(h2_get("/small"));
  bool small_came_first = false;
  EXPECT_TRUE(run_until(loop_, [&] {
    client.pump();
    small_came_first = small_came_first || (client.answers[small].closed && !client.answers[big].closed);
    return client.answers[big].closed;
  }));
  EXPECT_TRUE(small_came_first);
}

TEST_F(H2AnswersTest, AResetInTheMiddleLeavesTimeToReadWhatCameBefore) {
  options_.limits.late_reset_delay = std::chrono::milliseconds(30);
  TimePoint said{};
  acceptor_.on_end = [&](Exchange& exchange, ExchangeNotes&) {
    exchange.send_head(ResponseHead{});
    if (exchange.head().target == "/late") {
      exchange.send("the error");
    }
    exchange.abort(2);
    said = loop_.now();
  };
  serve();
  auto raw = connect();
  H2TestClient client(*raw);
  const int32_t late = client.request(h2_get("/late"));
  ASSERT_TRUE(run_until(loop_, [&] {
    client.pump();
    return client.answers[late].body == "the error";
  }));
  EXPECT_FALSE(client.answers[late].closed);
  ASSERT_TRUE(run_until(loop_, [&] {
    client.pump();
    return client.answers[late].closed;
  }));
  EXPECT_GE(loop_.now() - said, std::chrono::milliseconds(30));
  EXPECT_EQ(client.answers[late].error, 2u);
}

}  // namespace
}  // namespace transom
