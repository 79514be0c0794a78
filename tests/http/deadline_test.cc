#include "http/deadline.h"

#include <gtest/gtest.h>

#include "support/loop_runner.h"

namespace transom {
namespace {

using std::chrono::milliseconds;

TEST(DeadlineTest, PassesOnceAndNotBeforeItsTime) {
  Loop loop;
  int passed = 0;
  TimePoint due = Clock::now() + milliseconds(20);
  TimePoint seen{};
  Deadline deadline(loop, [&] {
    ++passed;
    seen = Clock::now();
  });
  deadline.set(due);
  EXPECT_TRUE(run_until(loop, [&] { return passed > 0; }));
  EXPECT_GE(seen, due - milliseconds(1));
  run_for(loop, milliseconds(30));
  EXPECT_EQ(passed, 1);
}

TEST(DeadlineTest, MovesBothWays) {
  Loop loop;
  int passed = 0;
  TimePoint seen{};
  Deadline deadline(loop, [&] {
    ++passed;
    seen = Clock::now();
  });
  TimePoint start = Clock::now();
  deadline.set(start + milliseconds(5));
  deadline.set(start + milliseconds(60));  // later: the timer underneath fires and looks again
  EXPECT_TRUE(run_until(loop, [&] { return passed > 0; }));
  EXPECT_GE(seen, start + milliseconds(59));
  deadline.set(Clock::now() + std::chrono::hours(1));
  deadline.set(Clock::now() + milliseconds(5));
  EXPECT_TRUE(run_until(loop, [&] { return passed > 1; }));
}

TEST(DeadlineTest, ClearedOrGoneItNeverPasses) {
  Loop loop;
  int passed = 0;
  Deadline kept(loop, [&] { ++passed; });
  kept.set(Clock::now() + milliseconds(5));
  kept.clear();
  {
    Deadline gone(loop, [&] { ++passed; });
    gone.set(Clock::now() + milliseconds(5));
  }
  run_for(loop, milliseconds(30));
  EXPECT_EQ(passed, 0);
}

}  // namespace
}  // namespace transom
