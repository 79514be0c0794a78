#include "proxy/idle_watch.h"

#include <utility>

namespace transom {

IdleWatch::IdleWatch(Loop& loop, std::chrono::nanoseconds idle_max, std::function<void()> on_idle)
    : loop_(loop), idle_max_(idle_max), on_idle_(std::move(on_idle)), timer_(loop, [this] { on_timer(); }) {
  start();
}

void IdleWatch::start() {
  touch();
  if (idle_max_.count() > 0) {
    timer_.start(idle_max_);
  }
}

void IdleWatch::on_timer() {
  const TimePoint due = moved_at_ + std::chrono::duration_cast<Clock::duration>(idle_max_);
  if (due > loop_.now()) {
    timer_.start_at(due);
  } else {
    on_idle_();
  }
}

}  // namespace transom
