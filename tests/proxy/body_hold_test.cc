#include "proxy/body_hold.h"

#include <gtest/gtest.h>

namespace transom {
namespace {

class Nobody final : public GuardedBody {
 public:
  void on_body_resumed() override {}
  void on_body_shed() override {}
};

TEST(BodyHoldTest, SmallBodiesAreChargedAndLargeOnesWithWhatTheyBecome) {
  Loop loop;
  MemoryAccount account(1000 * kKiB);
  MemoryGuard guard(loop, account);
  Nobody body;
  BodyHold hold(guard, body, 64 * kKiB);
  EXPECT_TRUE(hold.grow(100));
  EXPECT_EQ(account.held_bytes(), 0u);  // too little to count
  EXPECT_TRUE(hold.grow(10 * kKiB));
  EXPECT_EQ(account.held_bytes(), 10 * kKiB);
  EXPECT_TRUE(hold.grow(100 * kKiB));
  EXPECT_EQ(account.held_bytes(), 175 * kKiB);
  EXPECT_FALSE(hold.grow(500 * kKiB));
  EXPECT_EQ(account.held_bytes(), 175 * kKiB);
  hold.release();
  EXPECT_EQ(account.held_bytes(), 0u);
}

TEST(BodyHoldTest, OnlyLargeBodiesPauseAndTheirWaitIsMeasured) {
  Loop loop;
  MemoryAccount account(1000 * kKiB);
  MemoryGuard guard(loop, account);
  Nobody body;
  BodyHold small(guard, body, 64 * kKiB);
  BodyHold large(guard, body, 64 * kKiB);
  EXPECT_TRUE(small.grow(64 * kKiB));
  EXPECT_TRUE(large.grow(65 * kKiB));
  Charge others(&account);
  others.set(900 * kKiB);
  const TimePoint now = loop.now();
  EXPECT_FALSE(small.should_pause(now));
  EXPECT_TRUE(large.should_pause(now));
  EXPECT_TRUE(large.should_pause(now + std::chrono::seconds(1)));
  large.on_resumed(now + std::chrono::seconds(2));
  EXPECT_EQ(large.waited(), std::chrono::seconds(2));
}

}  // namespace
}  // namespace transom
