// KeepAlive tells when an answer has been idle for so long that something should be said. A part of Relay; one thread.
#pragma once

#include <chrono>
#include <functional>
#include <utility>

#include "net/loop.h"
#include "net/timer.h"

namespace transom {

class KeepAlive {
 public:
  // on_idle: called each time that the interval has passed since the last note() or call.
  KeepAlive(Loop& loop, std::chrono::milliseconds interval, std::function<void()> on_idle);

  // Something was said. Cheap: the timer is only looked at when it is due.
  void note() { last_ = loop_.now(); }

 private:
  void on_due();

  Loop& loop_;
  const std::chrono::milliseconds interval_;
  const std::function<void()> on_idle_;
  TimePoint last_;
  Timer timer_;
};

}  // namespace transom
