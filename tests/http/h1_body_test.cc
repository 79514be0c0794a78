#include "http/h1_body.h"

#include <gtest/gtest.h>

namespace transom {
namespace {

TEST(H1BodyTest, CreditIsTheWindowLessWhatIsNotConsumed) {
  H1Body body(100);
  body.start(1000, false);
  EXPECT_EQ(body.credit(false), 100U);
  body.on_delivered(60);
  EXPECT_EQ(body.credit(false), 40U);
  body.on_delivered(40);
  EXPECT_EQ(body.credit(false), 0U);
  body.on_consumed(30);
  EXPECT_EQ(body.credit(false), 30U);
  body.on_consumed(1000);  // no more than was delivered
  EXPECT_EQ(body.credit(false), 100U);
}

TEST(H1BodyTest, PausedItLetsOneWindowThroughInAll) {
  H1Body body(100);
  body.start(1000, false);
  body.on_delivered(60);
  body.on_consumed(60);
  EXPECT_EQ(body.credit(true), 40U);
  body.on_delivered(40);
  body.on_consumed(40);
  EXPECT_EQ(body.credit(true), 0U);
  EXPECT_EQ(body.credit(false), 100U);
}

TEST(H1BodyTest, ARestIsDroppedOnlyWhenKnownSmallAndComing) {
  H1Body body(100);
  body.start(50, false);
  EXPECT_TRUE(body.can_drop_rest(50));
  EXPECT_FALSE(body.can_drop_rest(49));
  body.on_dropped(10);
  EXPECT_TRUE(body.can_drop_rest(40));
  body.start(-1, false);
  EXPECT_FALSE(body.can_drop_rest(50)) << "chunked";
  body.start(10, true);
  EXPECT_FALSE(body.can_drop_rest(50)) << "the client waits for a 100 that it does not get";
  body.on_continue_sent();
  EXPECT_TRUE(body.can_drop_rest(50));
  body.on_broken();
  EXPECT_FALSE(body.can_drop_rest(50));
}

}  // namespace
}  // namespace transom
