#include "http/deadline.h"

#include <utility>

namespace transom {

Deadline::Deadline(Loop& loop, std::function<void()> on_passed)
    : loop_(loop), on_passed_(std::move(on_passed)), timer_(loop, [this] { on_timer(); }) {}

void Deadline::set(TimePoint when) {
  when_ = when;
  if (when < armed_) {
    armed_ = when;
    timer_.start_at(when);
  }
}

void Deadline::on_timer() {
  armed_ = kNever;
  if (when_ == kNever) {
    return;
  }
  if (loop_.now() < when_) {
    armed_ = when_;
    timer_.start_at(when_);
    return;
  }
  when_ = kNever;
  on_passed_();
}

}  // namespace transom
