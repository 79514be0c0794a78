#include "http/h1_patience.h"

#include <algorithm>

namespace transom {

TimePoint H1Patience::read_due(H1Wait wait) const {
  switch (wait) {
    case H1Wait::Nothing:
      return TimePoint::max();
    case H1Wait::NextRequest:
      return read_since_ + (is_draining_ ? std::min(limits_.idle, limits_.drain_idle) : limits_.idle);
    case H1Wait::Head:
      return read_since_ + limits_.header_timeout;
    case H1Wait::Body:
    case H1Wait::Held:
      return read_since_ + limits_.body_timeout;
    case H1Wait::HalfClosed:
      return read_since_ + limits_.half_close_grace;
    case H1Wait::Linger:
      return read_since_ + limits_.linger;
  }
  return TimePoint::max();
}

TimePoint H1Patience::due(H1Wait wait, size_t queued) const {
  TimePoint due = read_due(wait);
  return queued > 0 ? std::min<TimePoint>(due, wrote_since_ + limits_.write_timeout) : due;
}

bool H1Patience::is_write_over(TimePoint now, size_t untaken) {
  if (untaken == 0 || untaken < untaken_) {
    on_write(now, untaken);
    return false;
  }
  return now >= wrote_since_ + limits_.write_timeout;
}

}  // namespace transom
