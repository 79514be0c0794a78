#include "net/timer.h"

#include <utility>

#include "net/loop_state.h"
#include "net/timer_heap.h"

namespace transom {

Timer::Timer(Loop& loop, std::function<void()> on_timeout) : loop_(loop), on_timeout_(std::move(on_timeout)) {}

Timer::~Timer() { stop(); }

void Timer::start(std::chrono::nanoseconds delay) {
  if (delay <= std::chrono::nanoseconds::zero()) {
    start_at(TimePoint::min());
    return;
  }
  TimePoint now = loop_.now();
  start_at(delay < TimePoint::max() - now ? now + delay : TimePoint::max());
}

void Timer::start_at(TimePoint when) {
  when_ = when;
  loop_.state_->timers.place(*this);
}

void Timer::stop() {
  if (is_active()) {
    loop_.state_->timers.remove(*this);
  }
}

}  // namespace transom
