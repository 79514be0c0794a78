#include "backend/backoff.h"

#include <gtest/gtest.h>

namespace transom {
namespace {

double seconds(std::chrono::nanoseconds time) { return std::chrono::duration<double>(time).count(); }

// doc/connection-backoff.md of gRPC: 1 s, 1.6 times longer each, at most 120 s, plus or minus a fifth.
TEST(Backoff, GrowsAsGrpcSays) {
  ChannelLimits limits;
  for (uint32_t seed = 1; seed <= 100; ++seed) {
    Backoff backoff(limits, seed);
    double expected = 1;
    for (int attempt = 0; attempt < 20; ++attempt) {
      double delay = seconds(backoff.next());
      EXPECT_GE(delay, expected * 0.8 - 1e-6);
      EXPECT_LE(delay, expected * 1.2 + 1e-6);
      expected = std::min(expected * 1.6, 120.0);
    }
  }
}

TEST(Backoff, BeginsAnewAfterReset) {
  ChannelLimits limits;
  Backoff backoff(limits, 1);
  for (int attempt = 0; attempt < 10; ++attempt) {
    backoff.next();
  }
  backoff.reset();
  EXPECT_LE(seconds(backoff.next()), 1.2);
}

TEST(Backoff, IsNotTheSameForAll) {
  ChannelLimits limits;
  EXPECT_NE(Backoff(limits, 1).next(), Backoff(limits, 2).next());
}

}  // namespace
}  // namespace transom
