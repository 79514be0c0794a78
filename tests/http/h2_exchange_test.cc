#include "http/h2_exchange.h"

#include <gtest/gtest.h>

#include "base/limits.h"
#include "support/fake_exchange_handler.h"
#include "support/loop_runner.h"

namespace transom {
namespace {

class NotedOwner final : public H2ExchangeOwner {
 public:
  void on_answer_changed(H2Exchange&) override { ++changes; }
  void on_body_consumed(H2Exchange&, size_t bytes) override { consumed += bytes; }
  int changes = 0;
  size_t consumed = 0;
};

TEST(H2ExchangeTest, KeepsItsAnswerForTheFlush) {
  Loop loop;
  NotedOwner owner;
  H2Exchange exchange(owner, loop, 1, 100, nullptr);
  exchange.reading().on_field(SessionLimits{}, "te", "trailers");
  ResponseHead head;
  head.status = 201;
  exchange.send_head(head);
  EXPECT_EQ(exchange.send("abc"), 3U);
  Fields trailers;
  trailers.add("a", "b");
  exchange.finish(trailers);
  exchange.consume(7);
  EXPECT_EQ(exchange.answer().status, 201);
  EXPECT_EQ(exchange.body().size(), 3U);
  EXPECT_EQ(exchange.trailers().find("a"), "b");
  EXPECT_TRUE(exchange.has_ended());
  EXPECT_EQ(owner.changes, 3);
  EXPECT_EQ(owner.consumed, 7U);
  exchange.retire();
  exchange.abort(2);
  exchange.consume(7);
  EXPECT_FALSE(exchange.is_cut());
  EXPECT_EQ(owner.consumed, 7U);
}

TEST(H2ExchangeTest, SaysThereIsRoomOnceItsBufferWasAboveAndFellBelow) {
  Loop loop;
  NotedOwner owner;
  FakeExchangeAcceptor acceptor;
  H2Exchange exchange(owner, loop, 1, 100, nullptr);
  exchange.set_handler(acceptor.on_exchange(exchange));
  exchange.send_head(ResponseHead{});
  exchange.send(std::string(90, 'x'));
  exchange.body().pop(80);
  exchange.tell_send_ready();
  EXPECT_EQ(acceptor.exchanges[0]->send_ready, 0) << "never above";
  exchange.send(std::string(100, 'x'));
  exchange.body().pop(40);
  exchange.tell_send_ready();
  EXPECT_EQ(acceptor.exchanges[0]->send_ready, 0) << "not yet below";
  exchange.body().pop(30);
  exchange.tell_send_ready();
  exchange.tell_send_ready();
  EXPECT_EQ(acceptor.exchanges[0]->send_ready, 1);
}

TEST(H2ExchangeTest, GoesOnWithoutItsHandler) {
  Loop loop;
  NotedOwner owner;
  FakeExchangeAcceptor acceptor;
  H2Exchange exchange(owner, loop, 1, 100, nullptr);
  exchange.set_handler(acceptor.on_exchange(exchange));
  exchange.end_handler(client_error(Code::DeadlineExceeded, "slow"));
  exchange.end_handler(Status{});
  EXPECT_EQ(acceptor.exchanges[0]->ends, 1);
  EXPECT_EQ(acceptor.exchanges[0]->end_status.code, Code::DeadlineExceeded);
  exchange.on_body("ignored");
  answer(exchange, 408, "slow");
  EXPECT_EQ(exchange.body().size(), 4U);
  run_for(loop, std::chrono::milliseconds(1));
}

TEST(H2ExchangeTest, DropsBodiesThatMayNotBe) {
  Loop loop;
  NotedOwner owner;
  for (uint16_t status : {204, 304}) {
    H2Exchange exchange(owner, loop, 1, 100, nullptr);
    ResponseHead head;
    head.status = status;
    exchange.send_head(head);
    EXPECT_EQ(exchange.send("abc"), 0U);
    EXPECT_TRUE(exchange.body().empty());
  }
}

TEST(H2ExchangeTest, AnAnswerOfAnotherLengthIsCut) {
  Loop loop;
  NotedOwner owner;
  H2Exchange exchange(owner, loop, 1, 100, nullptr);
  ResponseHead head;
  head.content_length = 5;
  exchange.send_head(head);
  exchange.send("abc");
  exchange.finish(Fields{});
  EXPECT_TRUE(exchange.is_cut());
  EXPECT_EQ(exchange.cut_error(), 2U);
}

}  // namespace
}  // namespace transom
