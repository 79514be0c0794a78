#include "http/h1_body.h"

#include <algorithm>

namespace transom {

void H1Body::start(int64_t length, bool waits_for_continue) {
  left_ = length;
  unconsumed_ = 0;
  came_ = 0;
  has_ended_ = false;
  waits_for_continue_ = waits_for_continue;
}

void H1Body::count(size_t bytes) {
  came_ += bytes;
  waits_for_continue_ = false;
  if (left_ > 0) {
    left_ -= std::min(left_, static_cast<int64_t>(bytes));
  }
}

void H1Body::on_delivered(size_t bytes) {
  count(bytes);
  unconsumed_ += bytes;
}

void H1Body::on_consumed(size_t bytes) { unconsumed_ -= std::min(unconsumed_, bytes); }

void H1Body::on_broken() {
  has_ended_ = false;
  left_ = -1;
}

size_t H1Body::credit(bool paused) const {
  size_t credit = window_ > unconsumed_ ? window_ - unconsumed_ : 0;
  if (paused) {
    credit = static_cast<size_t>(std::min<uint64_t>(credit, window_ > came_ ? window_ - came_ : 0));
  }
  return credit;
}

bool H1Body::can_drop_rest(size_t max) const {
  return !waits_for_continue_ && left_ >= 0 && static_cast<uint64_t>(left_) <= max;
}

}  // namespace transom
