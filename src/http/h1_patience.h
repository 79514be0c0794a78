// H1Patience is how long an HTTP/1.x session waits for its client: for the next request, for the end of a head, for
// more of a body, for the client to read. Pure: it is told what happens and asked what is due. One per session.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/limits.h"
#include "net/loop.h"

namespace transom {

// Held: its body is not read, since nobody takes it.
enum class H1Wait : uint8_t { Nothing, NextRequest, Head, Body, Held, HalfClosed, Linger };

class H1Patience {
 public:
  H1Patience(const SessionLimits& limits, TimePoint now) : limits_(limits), read_since_(now), wrote_since_(now) {}

  // The wait begins anew: bytes came, or it waits for something else from now on.
  void on_read(TimePoint now) { read_since_ = now; }
  // From now on it waits for a next request only as long as one may already be on its way.
  void on_drain() { is_draining_ = true; }
  // untaken: what the client has not taken after a write, as the transport tells it.
  void on_write(TimePoint now, size_t untaken) {
    wrote_since_ = now;
    untaken_ = untaken;
  }

  // TimePoint::max(): never.
  TimePoint due(H1Wait wait, size_t queued) const;
  bool is_read_over(H1Wait wait, TimePoint now) const { return read_due(wait) <= now; }
  // Progress since the last look starts it anew.
  bool is_write_over(TimePoint now, size_t untaken);

 private:
  TimePoint read_due(H1Wait wait) const;

  const SessionLimits& limits_;
  TimePoint read_since_;
  TimePoint wrote_since_;
  size_t untaken_ = 0;
  bool is_draining_ = false;
};

}  // namespace transom
