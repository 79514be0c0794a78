// What stands behind a Loop: the vendor's loop and the handles of its phases, the timers, the marks and the dead. Only
// loop.cc and timer.cc look inside.
#pragma once

#include <uv.h>

#include <functional>
#include <memory>
#include <vector>

#include "net/loop.h"
#include "net/timer_heap.h"

namespace transom {

struct Loop::State {
  // An action to run or an object to destroy, in the order of their coming.
  struct Deferred {
    std::function<void()> action;
    Erased dead;
  };

  // Flushes, then runs what was deferred; both at most once per entry, so that what comes back waits its turn.
  void run_phase();
  void flush_marks();
  void run_deferred();
  bool has_work() const { return !marked.empty() || !deferred.empty(); }
  void take_mark_back(Flushable& flushable, size_t index);
  // Sets the vendor's timer to the earliest of ours.
  void arm();
  void start_lag_timer();

  uv_loop_t uv{};
  uv_prepare_t prepare{};
  uv_check_t check{};
  uv_idle_t idle{};    // active: the loop must not wait
  uv_timer_t alarm{};  // for the earliest of `timers`
  uint64_t alarm_ms = kNoAlarm;

  TimerHeap timers;
  std::vector<Flushable*> marked;
  std::vector<Flushable*> flushing;  // null: flushed already, or taken back
  std::vector<Deferred> deferred;
  std::vector<Deferred> ending;  // those of `deferred` that run now

  bool is_running = false;
  bool has_now = false;
  TimePoint now{};

  std::function<void(std::chrono::nanoseconds)> lag_observer;
  std::unique_ptr<Timer> lag_timer;
  TimePoint lag_due{};

  std::unique_ptr<LoopBuffers> buffers;

  static constexpr uint64_t kNoAlarm = UINT64_MAX;
};

}  // namespace transom
