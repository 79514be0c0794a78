#include "http/h1_patience.h"

#include <gtest/gtest.h>

namespace transom {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

SessionLimits limits() {
  SessionLimits made;
  made.idle = seconds(75);
  made.header_timeout = seconds(30);
  made.body_timeout = seconds(20);
  made.write_timeout = seconds(60);
  made.linger = seconds(2);
  return made;
}

TEST(H1PatienceTest, EachWaitHasItsLimit) {
  const SessionLimits bounds = limits();
  const TimePoint start(seconds(1000));
  H1Patience patience(bounds, start);
  EXPECT_EQ(patience.due(H1Wait::NextRequest, 0), start + seconds(75));
  EXPECT_EQ(patience.due(H1Wait::Head, 0), start + seconds(30));
  EXPECT_EQ(patience.due(H1Wait::Body, 0), start + seconds(20));
  EXPECT_EQ(patience.due(H1Wait::Held, 0), start + seconds(20));
  EXPECT_EQ(patience.due(H1Wait::Linger, 0), start + seconds(2));
  EXPECT_EQ(patience.due(H1Wait::Nothing, 0), TimePoint::max());
  EXPECT_FALSE(patience.is_read_over(H1Wait::Body, start + seconds(20) - milliseconds(1)));
  EXPECT_TRUE(patience.is_read_over(H1Wait::Body, start + seconds(20)));
  patience.on_read(start + seconds(5));
  EXPECT_FALSE(patience.is_read_over(H1Wait::Body, start + seconds(20)));
  EXPECT_FALSE(patience.is_read_over(H1Wait::Nothing, start + seconds(9999)));
}

TEST(H1PatienceTest, ADrainingSessionWaitsOnlyForARequestOnItsWay) {
  SessionLimits bounds = limits();
  bounds.drain_idle = milliseconds(500);
  const TimePoint start(seconds(1000));
  H1Patience patience(bounds, start);
  patience.on_drain();
  EXPECT_EQ(patience.due(H1Wait::NextRequest, 0), start + milliseconds(500));
  EXPECT_EQ(patience.due(H1Wait::Head, 0), start + seconds(30)) << "one that has begun has its own time";
  bounds.idle = milliseconds(100);
  EXPECT_EQ(patience.due(H1Wait::NextRequest, 0), start + milliseconds(100));
}

TEST(H1PatienceTest, AWriteIsStuckWhenNothingLeavesForItsTime) {
  const SessionLimits bounds = limits();
  const TimePoint start(seconds(1000));
  H1Patience patience(bounds, start);
  patience.on_write(start, 100);
  EXPECT_EQ(patience.due(H1Wait::Nothing, 100), start + seconds(60));
  EXPECT_EQ(patience.due(H1Wait::Body, 100), start + seconds(20)) << "the sooner of both";
  EXPECT_FALSE(patience.is_write_over(start + seconds(60), 50)) << "some has left";
  EXPECT_FALSE(patience.is_write_over(start + seconds(119), 50));
  EXPECT_TRUE(patience.is_write_over(start + seconds(120), 50));
  EXPECT_FALSE(patience.is_write_over(start + seconds(999), 0)) << "all has left";
}

}  // namespace
}  // namespace transom
