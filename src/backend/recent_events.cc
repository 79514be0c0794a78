#include "backend/recent_events.h"

namespace transom {

bool RecentEvents::add(TimePoint now) {
  if (events_max_ == 0) {
    return false;
  }
  if (times_.size() < events_max_) {
    times_.push_back(now);
  } else {
    times_[oldest_] = now;
    oldest_ = (oldest_ + 1) % events_max_;
  }
  return times_.size() == events_max_ && now - times_[oldest_] <= span_;
}

}  // namespace transom
