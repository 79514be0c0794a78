#include "net/timer.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <random>
#include <vector>

#include "support/loop_runner.h"

namespace transom {
namespace {

using std::chrono::milliseconds;

TEST(Timer, FiresOnceAndNotEarly) {
  Loop loop;
  int fired = 0;
  TimePoint started = Clock::now();
  TimePoint when{};
  Timer timer(loop, [&] {
    ++fired;
    when = Clock::now();
  });
  timer.start(milliseconds(7));
  EXPECT_TRUE(timer.is_active());
  EXPECT_TRUE(run_until(loop, [&] { return fired > 0; }));
  run_for(loop, milliseconds(20));
  EXPECT_EQ(fired, 1);
  EXPECT_GE(when - started, milliseconds(7));
  EXPECT_FALSE(timer.is_active());
}

TEST(Timer, StoppedOrDestroyedItNeverFires) {
  Loop loop;
  int fired = 0;
  Timer stopped(loop, [&] { ++fired; });
  auto destroyed = std::make_unique<Timer>(loop, [&] { ++fired; });
  stopped.start(milliseconds(1));
  destroyed->start(milliseconds(1));
  stopped.stop();
  destroyed.reset();
  run_for(loop, milliseconds(10));
  EXPECT_EQ(fired, 0);
}

TEST(Timer, OneThatFiresMayStopAndDestroyOthersDueAtTheSameTime) {
  Loop loop;
  int fired = 0;
  std::optional<Timer> destroyed;
  Timer stopped(loop, [&] { ++fired; });
  Timer first(loop, [&] {
    destroyed.reset();
    stopped.stop();
  });
  destroyed.emplace(loop, [&] { ++fired; });
  TimePoint when = Clock::now() + milliseconds(2);
  first.start_at(when);
  destroyed->start_at(when);
  stopped.start_at(when);
  run_for(loop, milliseconds(10));
  EXPECT_EQ(fired, 0);
}

TEST(Timer, OneThatFiresMayPutOffAnotherDueAtTheSameTime) {
  Loop loop;
  TimePoint when = Clock::now() + milliseconds(2);
  TimePoint fired{};
  Timer other(loop, [&] { fired = Clock::now(); });
  Timer first(loop, [&] { other.start_at(when + milliseconds(20)); });
  first.start_at(when);
  other.start_at(when);
  EXPECT_TRUE(run_until(loop, [&] { return fired != TimePoint{}; }));
  EXPECT_GE(fired, when + milliseconds(20));
}

TEST(Timer, StartReplacesTheEarlierStart) {
  Loop loop;
  std::string order;
  Timer a(loop, [&] { order += 'a'; });
  Timer b(loop, [&] { order += 'b'; });
  a.start(milliseconds(1));
  b.start(milliseconds(4));
  a.start(milliseconds(8));
  EXPECT_TRUE(run_until(loop, [&] { return order.size() == 2; }));
  EXPECT_EQ(order, "ba");
}

TEST(Timer, WithoutDelayFiresOnTheNextTurnAndLetsOthersIn) {
  Loop loop;
  int spins = 0;
  bool other_fired = false;
  std::optional<Timer> spinner;
  spinner.emplace(loop, [&] {
    ++spins;
    spinner->start({});
  });
  Timer other(loop, [&] { other_fired = true; });
  spinner->start({});
  other.start(milliseconds(3));
  EXPECT_TRUE(run_until(loop, [&] { return other_fired; }));
  EXPECT_GT(spins, 1);
}

TEST(Timer, TooFarAwayToCountIsNever) {
  Loop loop;
  int fired = 0;
  Timer never(loop, [&] { ++fired; });
  never.start(std::chrono::nanoseconds::max());
  run_for(loop, milliseconds(5));
  EXPECT_EQ(fired, 0);
  EXPECT_TRUE(never.is_active());
  never.start_at(TimePoint::max());
  run_for(loop, milliseconds(5));
  EXPECT_EQ(fired, 0);
}

TEST(Timer, TenThousandFireInOrder) {
  Loop loop;
  std::mt19937 random(7);
  struct One {
    TimePoint when;
    std::unique_ptr<Timer> timer;
  };
  std::vector<One> all(10'000);
  std::vector<TimePoint> fired;
  size_t early = 0;
  TimePoint start = Clock::now();
  for (One& one : all) {
    one.timer = std::make_unique<Timer>(loop, [&] {
      fired.push_back(one.when);
      early += Clock::now() < one.when ? 1 : 0;
    });
    one.when = start + std::chrono::microseconds(random() % 50'000);
    one.timer->start_at(one.when);
  }
  size_t stopped = 0;
  for (One& one : all) {  // a third is moved, a third is stopped
    switch (random() % 3) {
      case 0:
        one.when = start + std::chrono::microseconds(random() % 50'000);
        one.timer->start_at(one.when);
        break;
      case 1:
        one.timer->stop();
        ++stopped;
        break;
      default:
        break;
    }
  }
  EXPECT_TRUE(run_until(loop, [&] { return fired.size() == all.size() - stopped; }));
  EXPECT_TRUE(std::is_sorted(fired.begin(), fired.end()));
  EXPECT_EQ(early, 0U);
}

}  // namespace
}  // namespace transom
