#include "server/signals.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <vector>

namespace transom {
namespace {

TEST(Signals, ComeAsCallsOnTheLoop) {
  block_signals();
  Loop loop;
  std::vector<int> seen;
  {
    auto signals = Signals::open(loop, [&](int signal) {
      seen.push_back(signal);
      if (seen.size() == 2) loop.stop();
    });
    ASSERT_TRUE(signals.ok());
    kill(getpid(), SIGHUP);
    kill(getpid(), SIGTERM);
    loop.run();
  }
  EXPECT_THAT(seen, testing::UnorderedElementsAre(SIGHUP, SIGTERM));
}

TEST(Signals, ABrokenPipeEndsNothing) {
  block_signals();
  EXPECT_EQ(kill(getpid(), SIGPIPE), 0);
}

}  // namespace
}  // namespace transom
