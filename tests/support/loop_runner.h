// Runs a Loop in a test until something has come true, or too much time has passed.
#pragma once

#include <chrono>
#include <functional>

#include "net/loop.h"
#include "net/timer.h"

namespace transom {

// Looks about every millisecond; true once `is_done` is. What was buried is gone when it returns.
inline bool run_until(Loop& loop, const std::function<bool()>& is_done,
                      std::chrono::milliseconds timeout = std::chrono::seconds(30)) {
  TimePoint deadline = Clock::now() + timeout;
  bool holds = false;
  std::function<void()> look;
  Timer next(loop, [&] { look(); });
  look = [&] {
    holds = is_done();
    if (holds || Clock::now() >= deadline) {
      loop.stop();
    } else {
      next.start(std::chrono::milliseconds(1));
    }
  };
  next.start({});
  loop.run();
  return holds;
}

// Lets the loop run for that long, to see that nothing happens.
inline void run_for(Loop& loop, std::chrono::milliseconds time) {
  run_until(
      loop, [] { return false; }, time);
}

}  // namespace transom
