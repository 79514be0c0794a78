#include "backend/backoff.h"

#include <algorithm>

namespace transom {

std::chrono::nanoseconds Backoff::next() {
  std::uniform_real_distribution<double> jitter(1 - limits_.backoff_jitter, 1 + limits_.backoff_jitter);
  auto delay = current_ * jitter(random_);
  std::chrono::duration<double, std::milli> longest = limits_.backoff_max;
  current_ = std::min(current_ * limits_.backoff_multiplier, longest);
  return std::chrono::duration_cast<std::chrono::nanoseconds>(delay);
}

}  // namespace transom
