#include "proxy/body_hold.h"

#include <utility>

namespace transom {
namespace {

// Large bodies are charged for what they will become as well: numbers and base64 shrink on the way, texts do not.
constexpr size_t with_output(size_t body_bytes) { return body_bytes + body_bytes / 4 * 3; }

}  // namespace

bool BodyHold::grow(size_t bytes) {
  if (bytes <= large_bytes_) {
    if (bytes > kUncountedBytes && !is_entered_) {
      charge_.set(bytes);
    }
    return true;
  }
  if (with_output(bytes) <= charge_.bytes()) {
    return true;
  }
  if (!guard_.admit(charge_, with_output(bytes))) {
    return false;
  }
  if (!std::exchange(is_entered_, true)) {
    guard_.enter(body_);
  }
  return true;
}

bool BodyHold::should_pause(TimePoint now) {
  if (!is_entered_ || !guard_.should_pause()) {
    return false;
  }
  paused_since_ = paused_since_.value_or(now);
  return true;
}

void BodyHold::on_resumed(TimePoint now) {
  if (paused_since_.has_value()) {
    waited_ += now - *paused_since_;
    paused_since_.reset();
  }
}

void BodyHold::release() {
  if (std::exchange(is_entered_, false)) {
    guard_.leave(body_);
  }
  charge_.set(0);
}

}  // namespace transom
