// RecentEvents remembers when the last so many events were, to say whether as many fell within a span of time. It holds
// no memory before the first of them. Pure; one per channel.
#pragma once

#include <chrono>
#include <cstddef>
#include <vector>

#include "net/loop.h"

namespace transom {

class RecentEvents {
 public:
  // events_max: 0 is no bound.
  RecentEvents(size_t events_max, std::chrono::nanoseconds span) : events_max_(events_max), span_(span) {}

  // One more; true if with it events_max fell within the span. Times must not go back.
  bool add(TimePoint now);

 private:
  size_t events_max_;
  std::chrono::nanoseconds span_;
  std::vector<TimePoint> times_;  // a ring once it is full
  size_t oldest_ = 0;
};

}  // namespace transom
