#include "http/h1_exchange.h"

#include <gtest/gtest.h>

#include "support/fake_exchange_handler.h"

namespace transom {
namespace {

class NotedSink final : public H1AnswerSink {
 public:
  void on_answer_head(const ResponseHead& head) override { heads += std::to_string(head.status); }
  void on_answer_bytes(std::string&& bytes) override { body += bytes; }
  void on_answer_end(const Fields&) override { ++ends; }
  void on_answer_cut() override { ++cuts; }
  void on_body_consumed(size_t bytes) override { consumed += bytes; }
  size_t answer_buffered() const override { return body.size(); }

  std::string heads;
  std::string body;
  int ends = 0;
  int cuts = 0;
  size_t consumed = 0;
};

TEST(H1ExchangeTest, PassesTheAnswerToItsSession) {
  Loop loop;
  NotedSink sink;
  RequestHead head;
  head.target = "/a";
  H1Exchange exchange(sink, loop, std::move(head), true);
  EXPECT_EQ(exchange.head().target, "/a");
  EXPECT_TRUE(exchange.accepts_trailers());
  exchange.on_body("abc");
  exchange.consume(3);
  exchange.consume(0);
  exchange.send_head(ResponseHead{});
  EXPECT_EQ(exchange.send("hello"), 5U);
  exchange.finish(Fields{});
  exchange.abort(2);
  EXPECT_EQ(sink.heads, "200");
  EXPECT_EQ(sink.body, "hello");
  EXPECT_EQ(sink.ends, 1);
  EXPECT_EQ(sink.cuts, 1);
  EXPECT_EQ(sink.consumed, 3U);
  EXPECT_EQ(exchange.request_body_bytes(), 3U);
  EXPECT_EQ(exchange.response_body_bytes(), 5U);
  EXPECT_EQ(exchange.buffered(), 5U);
}

TEST(H1ExchangeTest, AfterItsEndItsCallsDoNothing) {
  Loop loop;
  NotedSink sink;
  FakeExchangeAcceptor acceptor;
  H1Exchange exchange(sink, loop, RequestHead{}, false);
  exchange.set_handler(acceptor.on_exchange(exchange));
  exchange.on_end(client_error(Code::Cancelled, "gone"));
  EXPECT_EQ(acceptor.exchanges[0]->ends, 1);
  exchange.send_head(ResponseHead{});
  EXPECT_EQ(exchange.send("hello"), 0U);
  exchange.finish(Fields{});
  exchange.abort(2);
  exchange.consume(3);
  EXPECT_EQ(sink.heads + sink.body, "");
  EXPECT_EQ(sink.ends + sink.cuts, 0);
  EXPECT_EQ(exchange.buffered(), 0U);
}

}  // namespace
}  // namespace transom
