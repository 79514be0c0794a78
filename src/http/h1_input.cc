#include "http/h1_input.h"

#include "base/limits.h"

namespace transom {
namespace {

constexpr size_t kIdleBytesMax = 4 * kKiB;  // a larger buffer is given back when it is empty

}  // namespace

void H1Input::take(std::string_view bytes) {
  if (kept_.empty()) {
    view_ = bytes;
    return;
  }
  kept_.append(bytes);
  view_ = kept_;
}

void H1Input::keep() {
  if (view_.empty()) {
    clear();
    return;
  }
  if (kept_.empty()) {
    kept_.assign(view_);
  } else {
    kept_.erase(0, kept_.size() - view_.size());
  }
  view_ = {};
  charge_.set(kept_.size());
}

void H1Input::clear() {
  view_ = {};
  kept_.clear();
  if (kept_.capacity() > kIdleBytesMax) {
    kept_.shrink_to_fit();
  }
  charge_.set(0);
}

}  // namespace transom
