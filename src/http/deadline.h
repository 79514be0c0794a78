// Deadline is a Timer that is cheap to move later, which is what happens with every read and write: the timer
// underneath is left alone and looks again when it fires. One thread; destroying it is enough for it never to fire.
#pragma once

#include <functional>

#include "net/loop.h"
#include "net/timer.h"

namespace transom {

class Deadline {
 public:
  Deadline(Loop& loop, std::function<void()> on_passed);

  // Replaces what was set before. TimePoint::max(): never.
  void set(TimePoint when);
  void clear() { when_ = kNever; }

 private:
  static constexpr TimePoint kNever = TimePoint::max();
  void on_timer();

  Loop& loop_;
  std::function<void()> on_passed_;
  TimePoint when_ = kNever;
  TimePoint armed_ = kNever;  // when the timer fires; kNever while it is not active
  Timer timer_;
};

}  // namespace transom
