#include "http/h2_exchange_list.h"

#include <gtest/gtest.h>

#include "support/fake_exchange_handler.h"
#include "support/loop_runner.h"

namespace transom {
namespace {

class QuietOwner final : public H2ExchangeOwner {
 public:
  void on_answer_changed(H2Exchange&) override {}
  void on_body_consumed(H2Exchange&, size_t) override {}
};

TEST(H2ExchangeListTest, TellsTheClosedOnlyWhenSettled) {
  Loop loop;
  QuietOwner owner;
  FakeExchangeAcceptor acceptor;
  size_t open = 0;
  H2ExchangeList list(loop, open);
  for (int32_t stream : {1, 3, 5}) {
    H2Exchange& exchange = list.add(std::make_unique<H2Exchange>(owner, loop, stream, 100, nullptr));
    exchange.set_handler(acceptor.on_exchange(exchange));
  }
  EXPECT_EQ(open, 3U);
  list.close(list[0], client_error(Code::Cancelled, "reset"));
  EXPECT_EQ(open, 2U);
  EXPECT_EQ(list.size(), 2U);
  for (size_t i = 0; i < list.size(); ++i) {
    EXPECT_EQ(list[i].place, i);
    EXPECT_NE(list[i].stream, 1);
  }
  EXPECT_EQ(acceptor.exchanges[0]->ends, 0);
  list.settle(true);
  list.settle(true);
  EXPECT_EQ(acceptor.exchanges[0]->ends, 1);
  EXPECT_EQ(acceptor.exchanges[0]->end_status.code, Code::Cancelled);
  list.close(list[0], Status{});
  list.close_all(client_error(Code::Cancelled, "gone"));
  EXPECT_FALSE(list.has_open());
  list.settle(false);
  EXPECT_FALSE(list.is_empty());
  EXPECT_EQ(acceptor.exchanges[1]->ends + acceptor.exchanges[2]->ends, 1) << "the good end waits for its bytes";
  list.settle(true);
  EXPECT_TRUE(list.is_empty());
  EXPECT_EQ(acceptor.exchanges[1]->ends + acceptor.exchanges[2]->ends, 2);
  EXPECT_EQ(open, 0U);
  run_for(loop, std::chrono::milliseconds(1));
}

}  // namespace
}  // namespace transom
