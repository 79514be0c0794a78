// What a client may make an HTTP/2 session do without asking for anything useful, which nghttp2 does not bound: control
// frames beyond what the traffic explains, DATA frames without bytes, streams so malformed that we must reset them.
// Each call says whether the session may go on; otherwise it ends with ENHANCE_YOUR_CALM. Pure; one per session.
#pragma once

#include <cstddef>

#include "base/limits.h"
#include "net/loop.h"

namespace transom {

// Refills with time up to its size. Not thread-safe.
class TokenBucket {
 public:
  TokenBucket(double size, double per_second) : size_(size), per_second_(per_second), tokens_(size) {}

  bool take(TimePoint now);
  void add(double tokens) { tokens_ += tokens; }

 private:
  double size_;
  double per_second_;
  double tokens_;
  TimePoint filled_{};
};

class H2Limits {
 public:
  explicit H2Limits(const SessionLimits& limits);

  // SETTINGS, PING, PRIORITY, WINDOW_UPDATE and frames of unknown types.
  bool on_control_frame(TimePoint now) { return control_.take(now); }
  // Explains WINDOW_UPDATEs to come.
  void on_data_sent(size_t bytes);
  // Explains the PRIORITY frames that some clients send with each request.
  void on_request();
  // bytes: without padding.
  bool on_data_received(size_t bytes, bool ends);
  // A stream that we had to reset for its client's fault.
  bool on_own_reset(TimePoint now) { return own_resets_.take(now); }

 private:
  const size_t empty_frames_max_;
  const double control_max_;
  TokenBucket control_;
  TokenBucket own_resets_;
  size_t empty_frames_ = 0;
};

}  // namespace transom
