#include "proxy/idle_watch.h"

#include <gtest/gtest.h>

#include <memory>

#include "support/loop_runner.h"

namespace transom {
namespace {

using std::chrono::milliseconds;

TEST(IdleWatchTest, TellsOnceWhenNothingMoved) {
  Loop loop;
  int told = 0;
  IdleWatch watch(loop, milliseconds(5), [&] { ++told; });
  ASSERT_TRUE(run_until(loop, [&] { return told > 0; }));
  run_for(loop, milliseconds(20));
  EXPECT_EQ(told, 1);
}

TEST(IdleWatchTest, CountsFromTheLastMove) {
  Loop loop;
  const TimePoint begun = loop.now();
  TimePoint told_at{};
  IdleWatch watch(loop, milliseconds(40), [&] { told_at = loop.now(); });
  run_for(loop, milliseconds(25));
  watch.touch();
  const TimePoint moved = loop.now();
  ASSERT_GT(moved, begun);
  ASSERT_TRUE(run_until(loop, [&] { return told_at != TimePoint{}; }));
  EXPECT_GE(told_at - moved, milliseconds(40));
}

TEST(IdleWatchTest, ZeroAndAStopNeverTell) {
  Loop loop;
  int told = 0;
  IdleWatch never(loop, milliseconds(0), [&] { ++told; });
  IdleWatch stopped(loop, milliseconds(2), [&] { ++told; });
  stopped.stop();
  run_for(loop, milliseconds(20));
  EXPECT_EQ(told, 0);
}

TEST(IdleWatchTest, TellsEachTimeWhenItIsStartedAnew) {
  Loop loop;
  int told = 0;
  std::unique_ptr<IdleWatch> watch;
  watch = std::make_unique<IdleWatch>(loop, milliseconds(5), [&] {
    ++told;
    watch->start();
  });
  EXPECT_TRUE(run_until(loop, [&] { return told >= 3; }));
}

TEST(IdleWatchTest, IsSilentWhileSomethingMoves) {
  Loop loop;
  int told = 0;
  int moved = 0;
  IdleWatch watch(loop, milliseconds(2'000), [&] { ++told; });
  std::unique_ptr<Timer> move;
  move = std::make_unique<Timer>(loop, [&] {
    watch.touch();
    ++moved;
    move->start_at(loop.now() + milliseconds(1));
  });
  move->start_at(loop.now());
  EXPECT_TRUE(run_until(loop, [&] { return moved >= 50; }));
  EXPECT_EQ(told, 0);
}

}  // namespace
}  // namespace transom
