// BodyHold is a request body's part of the memory account while it is collected: small ones are charged, large ones must
// be admitted and may be paused or shed by the MemoryGuard. A part of Relay.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>

#include "base/limits.h"
#include "base/memory_account.h"
#include "proxy/memory_guard.h"

namespace transom {

// Held bytes below this are left out of the account: a session itself costs more.
inline constexpr size_t kUncountedBytes = 4 * kKiB;

class BodyHold {
 public:
  // body: whom the guard tells; large_bytes: bodies above are large.
  BodyHold(MemoryGuard& guard, GuardedBody& body, size_t large_bytes)
      : guard_(guard), body_(body), large_bytes_(large_bytes), charge_(&guard.account()) {}
  ~BodyHold() { release(); }
  BodyHold(const BodyHold&) = delete;
  BodyHold& operator=(const BodyHold&) = delete;

  // The body takes, or will take, that many bytes. False: there is no memory for it.
  bool grow(size_t bytes);
  // Nothing of a large body should be consumed now.
  bool should_pause(TimePoint now);
  void on_resumed(TimePoint now);
  // The body has gone on, or is gone.
  void release();
  // How long it was paused.
  std::chrono::nanoseconds waited() const { return waited_; }

 private:
  MemoryGuard& guard_;
  GuardedBody& body_;
  const size_t large_bytes_;
  Charge charge_;
  bool is_entered_ = false;
  std::optional<TimePoint> paused_since_;
  std::chrono::nanoseconds waited_{0};
};

}  // namespace transom
