#include "proxy/keep_alive.h"

namespace transom {

KeepAlive::KeepAlive(Loop& loop, std::chrono::milliseconds interval, std::function<void()> on_idle)
    : loop_(loop), interval_(interval), on_idle_(std::move(on_idle)), last_(loop.now()), timer_(loop, [this] { on_due(); }) {
  timer_.start_at(last_ + interval_);
}

void KeepAlive::on_due() {
  if (loop_.now() - last_ >= interval_) {
    last_ = loop_.now();
    on_idle_();
  }
  timer_.start_at(last_ + interval_);
}

}  // namespace transom
