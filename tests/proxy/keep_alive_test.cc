#include "proxy/keep_alive.h"

#include <gtest/gtest.h>

#include "support/loop_runner.h"

namespace transom {
namespace {

using std::chrono::milliseconds;

TEST(KeepAliveTest, ItSpeaksEachTimeThatNothingWasSaidForSoLong) {
  Loop loop;
  int spoken = 0;
  KeepAlive keep_alive(loop, milliseconds(5), [&] { ++spoken; });
  EXPECT_TRUE(run_until(loop, [&] { return spoken >= 3; }));
}

TEST(KeepAliveTest, ItIsSilentWhileSomethingIsSaid) {
  Loop loop;
  int spoken = 0;
  int said = 0;
  KeepAlive keep_alive(loop, milliseconds(2'000), [&] { ++spoken; });
  std::unique_ptr<Timer> talk;
  talk = std::make_unique<Timer>(loop, [&] {
    keep_alive.note();
    ++said;
    talk->start_at(loop.now() + milliseconds(1));
  });
  talk->start_at(loop.now());
  EXPECT_TRUE(run_until(loop, [&] { return said >= 50; }));
  EXPECT_EQ(spoken, 0);
}

}  // namespace
}  // namespace transom
