#include "net/watch.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include "support/loop_runner.h"

namespace transom {
namespace {

struct SocketPair {
  SocketPair() { EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, fds), 0); }
  int fds[2];
};

struct Counter final : WatchTarget {
  void on_ready(bool is_readable, bool is_writable) override {
    readable += is_readable ? 1 : 0;
    writable += is_writable ? 1 : 0;
    if (on_event) {
      on_event();
    }
  }
  int readable = 0;
  int writable = 0;
  std::function<void()> on_event;
};

TEST(Watch, TellsWhatIsWantedAndNothingElse) {
  Loop loop;
  SocketPair pair;
  Counter counter;
  auto watch = std::move(*Watch::make(loop, pair.fds[0]));
  watch->set_target(&counter);
  run_for(loop, std::chrono::milliseconds(3));
  EXPECT_EQ(counter.readable + counter.writable, 0);
  watch->want(false, true);
  EXPECT_TRUE(run_until(loop, [&] { return counter.writable > 0; }));
  EXPECT_EQ(counter.readable, 0);
  watch->want(true, false);
  EXPECT_EQ(write(pair.fds[1], "x", 1), 1);
  counter.writable = 0;
  EXPECT_TRUE(run_until(loop, [&] { return counter.readable > 0; }));
  EXPECT_EQ(counter.writable, 0);
  watch->want(false, false);
  counter.readable = 0;
  run_for(loop, std::chrono::milliseconds(3));
  EXPECT_EQ(counter.readable, 0);
  close(pair.fds[1]);
}

TEST(Watch, ClosesWhatItOwnsAndSaysThatItIsGone) {
  Loop loop;
  SocketPair pair;
  auto owner = std::move(*Watch::make(loop, pair.fds[0]));
  auto guest = std::move(*Watch::make(loop, pair.fds[1], Watch::Owns::No));
  const bool& is_gone = owner->is_gone();
  EXPECT_FALSE(is_gone);
  owner.reset();
  EXPECT_TRUE(is_gone);
  guest.reset();
  EXPECT_EQ(fcntl(pair.fds[0], F_GETFD), -1);
  EXPECT_NE(fcntl(pair.fds[1], F_GETFD), -1);
  close(pair.fds[1]);
}

TEST(Watch, MayBeDestroyedInItsOwnCallback) {
  Loop loop;
  SocketPair pair;
  Counter counter;
  auto watch = std::move(*Watch::make(loop, pair.fds[0]));
  watch->set_target(&counter);
  counter.on_event = [&] { watch.reset(); };
  watch->want(true, true);
  EXPECT_TRUE(run_until(loop, [&] { return watch == nullptr; }));
  EXPECT_EQ(counter.writable, 1);
  close(pair.fds[1]);
}

TEST(Watch, RefusesWhatTheKernelCannotWatch) {
  Loop loop;
  int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  auto watch = Watch::make(loop, file);
  ASSERT_FALSE(watch.ok());
  EXPECT_EQ(watch.status().code, Code::ResourceExhausted);
  EXPECT_EQ(fcntl(file, F_GETFD), -1);  // taken over all the same
}

}  // namespace
}  // namespace transom
