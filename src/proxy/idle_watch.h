// An IdleWatch tells that something has stood still: for so long nobody touched it. It is armed once and looks at its
// expiry whether something moved meanwhile, so that a message costs it no timer. Owned by a Relay; one thread.
#pragma once

#include <chrono>
#include <functional>

#include "net/loop.h"
#include "net/timer.h"

namespace transom {

class IdleWatch {
 public:
  // Starts at once. idle_max: 0 never tells. on_idle is called at most once for each start.
  IdleWatch(Loop& loop, std::chrono::nanoseconds idle_max, std::function<void()> on_idle);

  // Something moved.
  void touch() { moved_at_ = loop_.now(); }
  // Watches from now on, also after it has told or was stopped.
  void start();
  void stop() { timer_.stop(); }

 private:
  void on_timer();

  Loop& loop_;
  const std::chrono::nanoseconds idle_max_;
  const std::function<void()> on_idle_;
  TimePoint moved_at_;
  Timer timer_;
};

}  // namespace transom
