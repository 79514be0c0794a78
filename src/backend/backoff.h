// Backoff is gRPC's connection back-off (doc/connection-backoff.md): how long after the start of one attempt the next
// may begin. Pure but for its random jitter; one per replica and worker.
#pragma once

#include <chrono>
#include <cstdint>
#include <random>

#include "base/limits.h"

namespace transom {

class Backoff {
 public:
  Backoff(const ChannelLimits& limits, uint32_t seed) : limits_(limits), random_(seed) { reset(); }

  // The delay after the attempt that begins now; the next one will be longer.
  std::chrono::nanoseconds next();
  // The replica answered: begin anew.
  void reset() { current_ = limits_.backoff_min; }

 private:
  const ChannelLimits& limits_;
  std::minstd_rand random_;
  std::chrono::duration<double, std::milli> current_{};
};

}  // namespace transom
