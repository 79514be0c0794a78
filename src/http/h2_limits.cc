#include "http/h2_limits.h"

#include <algorithm>
#include <chrono>

namespace transom {
namespace {

constexpr double kUpdatesPerData = 2;         // one for the stream, one for the session
constexpr double kBytesPerUpdate = 2 * kKiB;  // a client that reads in small pieces
constexpr double kPrioritiesPerRequest = 2;

}  // namespace

bool TokenBucket::take(TimePoint now) {
  if (filled_ != TimePoint{} && tokens_ < size_) {
    tokens_ = std::min(size_, tokens_ + per_second_ * std::chrono::duration<double>(now - filled_).count());
  }
  filled_ = now;
  if (tokens_ < 1) {
    return false;
  }
  tokens_ -= 1;
  return true;
}

H2Limits::H2Limits(const SessionLimits& limits)
    : empty_frames_max_(limits.empty_frames),
      control_max_(static_cast<double>(limits.control_frames_per_second)),
      control_(control_max_, control_max_),
      own_resets_(static_cast<double>(limits.own_resets_burst), static_cast<double>(limits.own_resets_per_second)) {}

void H2Limits::on_data_sent(size_t bytes) {
  control_.add(kUpdatesPerData + static_cast<double>(bytes) / kBytesPerUpdate);
}

void H2Limits::on_request() { control_.add(kPrioritiesPerRequest); }

bool H2Limits::on_data_received(size_t bytes, bool ends) {
  empty_frames_ = bytes == 0 && !ends ? empty_frames_ + 1 : 0;
  return empty_frames_ <= empty_frames_max_;
}

}  // namespace transom
