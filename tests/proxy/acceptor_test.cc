#include "proxy/acceptor.h"

#include <gtest/gtest.h>

#include "proxy/relay_bench.h"

namespace transom {
namespace {

TEST(AcceptorTest, EachListenerTrustsItsOwnHops) {
  RelayBench bench;
  Acceptor trusting(bench.services, {.trusted_hops = 1, .cors = nullptr});
  for (ExchangeAcceptor* acceptor : {static_cast<ExchangeAcceptor*>(&bench.acceptor), static_cast<ExchangeAcceptor*>(&trusting)}) {
    FakeExchange& exchange = bench.open("GET", "/nowhere", false, {{"x-forwarded-for", "1.2.3.4"}});
    exchange.begin(*acceptor);
    exchange.end();
  }
  ASSERT_EQ(bench.seen.ended.size(), 2u);
  EXPECT_EQ(bench.seen.ended[0].client, "10.0.0.9");
  EXPECT_EQ(bench.seen.ended[1].client, "1.2.3.4");
}

}  // namespace
}  // namespace transom
