#include "http/session.h"

#include <random>

#include "http/h2_test_client.h"

namespace transom {
namespace {

using std::chrono::milliseconds;

class SessionSetTest : public SessionFixture {
 protected:
  SessionSetTest() {
    acceptor_.on_end = [](Exchange& exchange, ExchangeNotes&) { answer(exchange, 200, "fine"); };
  }
};

TEST_F(SessionSetTest, FindsOutTheVersionHoweverTheFirstBytesCome) {
  serve();
  const std::string h2 = kH2Preface + h2_frame(4, 0, 0, "") + h2_frame(1, 5, 1, h2_block(h2_get()));
  const std::string h1 = "PRI /x HTTP/1.1\r\nHost: h\r\n\r\n";
  for (size_t first : {1, 3, 10, 23, 24, 25}) {
    for (const std::string& text : {h2, h1}) {
      auto client = connect();
      client->send(text.substr(0, first));
      idle(*client, milliseconds(3));
      client->send(text.substr(first));
      EXPECT_TRUE(wait_for(*client, "fine")) << first;
    }
  }
  for (size_t i = 0; i < exchanges(); ++i) {
    EXPECT_EQ(exchange(i).head.version, exchange(i).head.method == "PRI" ? HttpVersion::Http1 : HttpVersion::Http2);
  }
  EXPECT_EQ(exchanges(), 12U);
}

TEST_F(SessionSetTest, CountsSessionsAndExchanges) {
  acceptor_.on_end = {};
  serve();
  auto first = connect();
  auto second = connect();
  first->send("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
  EXPECT_TRUE(wait(*first, [&] { return sessions_->open_sessions() == 2 && sessions_->open_exchanges() == 1; }));
  first->close();
  second->close();
  EXPECT_TRUE(run_until(loop_, [&] { return sessions_->open_sessions() == 0; }));
  EXPECT_EQ(sessions_->open_exchanges(), 0U);
  EXPECT_EQ(opened_, 2);
  EXPECT_EQ(ended_, 2);
}

TEST_F(SessionSetTest, ASessionThatComesWhileDrainingEnds) {
  options_.limits.drain_idle = milliseconds(40);
  serve();
  sessions_->drain();
  auto client = connect();
  EXPECT_TRUE(wait_for_end(*client));
  EXPECT_EQ(client->received, "");
}

TEST_F(SessionSetTest, EverythingIsGivenBackAfterRandomClients) {
  options_.limits.header_timeout = milliseconds(50);
  options_.limits.body_timeout = milliseconds(50);
  serve();
  std::mt19937 random(3);
  const std::string parts[] = {"GET / HTTP/1.1\r\nHost: h\r\n\r\n",
                               "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\n\r\n",
                               "abcd",
                               "\r\n",
                               "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n",
                               "4\r\nabcd\r\n",
                               "0\r\n\r\n",
                               kH2Preface,
                               h2_frame(4, 0, 0, ""),
                               h2_frame(1, 5, 1, h2_block(h2_get())),
                               "Expect: 100-continue\r\n"};
  for (int round = 0; round < 200; ++round) {
    auto client = connect();
    for (size_t count = random() % 8; count > 0; --count) {
      const std::string& part = parts[random() % std::size(parts)];
      client->send(part.substr(0, random() % 5 == 0 ? random() % part.size() : part.size()));
      if (random() % 3 == 0) {
        run_for(loop_, milliseconds(0));
      }
    }
    if (random() % 2 == 0) {
      client->end();
    } else if (random() % 2 == 0) {
      run_for(loop_, milliseconds(1));
    }
  }
  EXPECT_TRUE(run_until(loop_, [&] { return sessions_->open_sessions() == 0; }));
  for (const auto& notes : acceptor_.exchanges) {
    EXPECT_EQ(notes->ends, 1);
  }
}

}  // namespace
}  // namespace transom
