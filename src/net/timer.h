// Timer calls back once, on its Loop's thread, some time after start(). It costs no system call and no vendor handle:
// all timers of a Loop stand in one heap over a single vendor timer, so a request may carry several. Resolution 1 ms;
// never early by the
// loop's clock, from whose now() a delay counts. Destroying or stopping it is enough for it never to fire.
#pragma once

#include <chrono>
#include <functional>

#include "net/loop.h"

namespace transom {

class Timer {
 public:
  Timer(Loop& loop, std::function<void()> on_timeout);
  ~Timer();
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

  // Replaces an earlier start. A delay of 0 or less fires on the next turn.
  void start(std::chrono::nanoseconds delay);
  void start_at(TimePoint when);
  void stop();
  bool is_active() const { return heap_index_ != kInactive; }

 private:
  friend class TimerHeap;
  static constexpr size_t kInactive = static_cast<size_t>(-1);
  Loop& loop_;
  std::function<void()> on_timeout_;
  TimePoint when_{};
  size_t heap_index_ = kInactive;
};

}  // namespace transom
