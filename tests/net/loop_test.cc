#include "net/loop.h"

#include <gtest/gtest.h>
#include <uv.h>

#include <vector>

#include "net/timer.h"
#include "support/loop_runner.h"

namespace transom {
namespace {

using std::chrono::milliseconds;

class Flusher final : public Flushable {
 public:
  explicit Flusher(std::function<void()> on_flush) : on_flush_(std::move(on_flush)) {}
  void flush() override {
    ++flushes;
    if (on_flush_) {
      on_flush_();
    }
  }
  int flushes = 0;

 private:
  std::function<void()> on_flush_;
};

struct SetWhenGone {
  bool& gone;
  explicit SetWhenGone(bool& flag) : gone(flag) {}
  ~SetWhenGone() { gone = true; }
};

TEST(Loop, FlushesOnceWhatWasMarkedTwice) {
  Loop loop;
  Flusher flusher(nullptr);
  Timer timer(loop, [&] {
    loop.mark(flusher);
    loop.mark(flusher);
    EXPECT_EQ(flusher.flushes, 0);
  });
  timer.start({});
  run_for(loop, milliseconds(5));
  EXPECT_EQ(flusher.flushes, 1);
}

TEST(Loop, FlushesAMarkMadeByATimerBeforeItWaits) {
  Loop loop;
  Flusher flusher([&] { loop.stop(); });
  Timer timer(loop, [&] { loop.mark(flusher); });
  timer.start(milliseconds(1));
  loop.run();  // nothing else would ever wake it
  EXPECT_EQ(flusher.flushes, 1);
}

TEST(Loop, FlushesAMarkMadeInACloseCallbackBeforeItWaits) {
  Loop loop;
  Flusher flusher([&] { loop.stop(); });
  struct Closing {
    uv_idle_t handle;
    Loop* loop;
    Flusher* flusher;
  } closing{{}, &loop, &flusher};
  uv_idle_init(loop.handle(), &closing.handle);
  closing.handle.data = &closing;
  uv_close(reinterpret_cast<uv_handle_t*>(&closing.handle), [](uv_handle_t* handle) {
    auto* self = static_cast<Closing*>(handle->data);
    self->loop->mark(*self->flusher);
  });
  loop.run();
  EXPECT_EQ(flusher.flushes, 1);
}

TEST(Loop, FlushesWhatMarksItselfAgainWithoutKeepingOthersWaiting) {
  Loop loop;
  std::vector<char> order;
  Flusher* again = nullptr;
  Flusher greedy([&] {
    order.push_back('g');
    if (again->flushes == 3) {
      loop.stop();
    } else {
      loop.mark(*again);
    }
  });
  again = &greedy;
  Flusher modest([&] { order.push_back('m'); });
  loop.mark(greedy);
  loop.mark(modest);
  loop.run();
  EXPECT_EQ(order, (std::vector<char>{'g', 'm', 'g', 'g'}));
}

TEST(Loop, NeverFlushesWhatIsGone) {
  Loop loop;
  int flushes = 0;
  auto first = std::make_unique<Flusher>([&] { ++flushes; });
  auto doomed = std::make_unique<Flusher>([&] { ++flushes; });
  auto waiting = std::make_unique<Flusher>([&] { ++flushes; });
  Flusher killer([&] { doomed.reset(); });
  loop.mark(*first);
  loop.mark(killer);
  loop.mark(*doomed);
  loop.mark(*waiting);
  first.reset();  // marked and not yet being flushed
  run_for(loop, milliseconds(2));
  EXPECT_EQ(flushes, 1);
}

TEST(Loop, BuriesAfterTheFlush) {
  Loop loop;
  bool is_gone = false;
  bool was_gone_in_flush = true;
  Flusher flusher([&] { was_gone_in_flush = is_gone; });
  Timer timer(loop, [&] {
    loop.bury(std::make_unique<SetWhenGone>(is_gone));
    loop.mark(flusher);
    EXPECT_FALSE(is_gone);
  });
  timer.start({});
  run_for(loop, milliseconds(2));
  EXPECT_FALSE(was_gone_in_flush);
  EXPECT_TRUE(is_gone);
}

TEST(Loop, BuriesWhatIsBuriedInItsOwnCallback) {
  struct Mortal final : Flushable {
    Mortal(Loop& loop, bool& flag) : on(loop), gone(flag), timer(loop, [this] { die(); }) { timer.start({}); }
    ~Mortal() override { gone.gone = true; }
    void die() {
      on.mark(*this);
      on.bury(std::move(self));
      EXPECT_FALSE(gone.gone);
    }
    void flush() override { flushed_before_end = !gone.gone; }
    Loop& on;
    SetWhenGone gone;
    Timer timer;
    std::unique_ptr<Mortal> self;
    bool flushed_before_end = false;
  };
  Loop loop;
  bool is_gone = false;
  auto mortal = std::make_unique<Mortal>(loop, is_gone);
  Mortal* raw = mortal.get();
  raw->self = std::move(mortal);
  EXPECT_TRUE(run_until(loop, [&] { return is_gone; }));
}

TEST(Loop, BuriesFromInsideAFlushAndFromADestructor) {
  struct Parent {
    Loop& loop;
    bool& child_gone;
    ~Parent() { loop.bury(std::make_unique<SetWhenGone>(child_gone)); }
  };
  Loop loop;
  bool is_gone = false;
  Flusher flusher([&] { loop.bury(std::unique_ptr<Parent>(new Parent{loop, is_gone})); });
  loop.mark(flusher);
  EXPECT_TRUE(run_until(loop, [&] { return is_gone; }));
}

TEST(Loop, RunsDeferredActionsInOrderWithWhatIsBuried) {
  Loop loop;
  std::string order;
  struct Dead {
    std::string& order;
    ~Dead() { order += "dead "; }
  };
  Timer timer(loop, [&] {
    loop.defer([&] {
      order += "first ";
      loop.defer([&] { order += "later "; });
    });
    loop.bury(std::unique_ptr<Dead>(new Dead{order}));
    loop.defer([&] { order += "second "; });
  });
  timer.start({});
  run_for(loop, milliseconds(3));
  EXPECT_EQ(order, "first dead second later ");
}

TEST(Loop, DestroysWhatWasBuriedLastBeforeRunReturns) {
  Loop loop;
  bool is_gone = false;
  Timer timer(loop, [&] {
    loop.stop();
    loop.bury(std::make_unique<SetWhenGone>(is_gone));
  });
  timer.start({});
  loop.run();
  EXPECT_TRUE(is_gone);
}

TEST(Loop, DestroysTheBuriedEvenIfItNeverRuns) {
  bool is_gone = false;
  {
    Loop loop;
    loop.bury(std::make_unique<SetWhenGone>(is_gone));
  }
  EXPECT_TRUE(is_gone);
}

TEST(Loop, NowStandsStillWithinAPhaseAndMovesOnBetweenTurns) {
  Loop loop;
  TimePoint first{};
  TimePoint second{};
  Timer later(loop, [&] {
    second = loop.now();
    loop.stop();
  });
  Timer timer(loop, [&] {
    first = loop.now();
    TimePoint entered = Clock::now();
    while (Clock::now() - entered < milliseconds(2)) {
    }
    EXPECT_EQ(loop.now(), first);
    later.start(milliseconds(1));
  });
  timer.start({});
  loop.run();
  EXPECT_GE(second - first, milliseconds(1));
}

TEST(Loop, TellsHowLateItCameRound) {
  Loop loop;
  std::vector<std::chrono::nanoseconds> lags;
  loop.set_lag_observer([&](std::chrono::nanoseconds lag) { lags.push_back(lag); });
  Timer hog(loop, [&] {
    TimePoint entered = Clock::now();
    while (Clock::now() - entered < milliseconds(150)) {
    }
  });
  hog.start(milliseconds(20));
  EXPECT_TRUE(run_until(loop, [&] { return lags.size() >= 2; }));
  EXPECT_GE(lags[0], milliseconds(60));
  EXPECT_GE(lags[1], milliseconds(0));
}

}  // namespace
}  // namespace transom
