#include "net/timer_heap.h"

#include <gtest/gtest.h>

#include <string>

namespace transom {
namespace {

using std::chrono::milliseconds;

TEST(TimerHeap, TimersOfTheSameMomentFireAsTheyWereStarted) {
  Loop loop;
  std::string order;
  TimePoint when = Clock::now();
  Timer a(loop, [&] { order += 'a'; });
  Timer b(loop, [&] { order += 'b'; });
  Timer c(loop, [&] {
    order += 'c';
    loop.stop();
  });
  b.start_at(when);
  a.start_at(when);
  c.start_at(when);
  loop.run();
  EXPECT_EQ(order, "bac");
}

TEST(TimerHeap, AnEmptyOneHasNoEarliest) {
  TimerHeap heap;
  heap.expire(TimePoint::max());
  EXPECT_TRUE(heap.empty());
  EXPECT_EQ(heap.earliest(), TimePoint::max());
}

}  // namespace
}  // namespace transom
