// MemoryGuard admits large request bodies by the process's memory account and, when memory is tight all the same, pauses
// those being read on this worker; if the account has not fallen within a second, it sheds the youngest of them, one by
// one, until it has (design decision 6). Small requests are none of its business, except that nothing new is taken up
// when the account is exhausted. One per worker, on its loop.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include "base/memory_account.h"
#include "net/loop.h"
#include "net/timer.h"

namespace transom {

// A large body being read; a Relay.
class GuardedBody {
 public:
  // Memory is no longer tight: what was not consumed may be.
  virtual void on_body_resumed() = 0;
  // Refuse the request now, and leave the guard.
  virtual void on_body_shed() = 0;

 protected:
  ~GuardedBody() = default;
};

class MemoryGuard {
 public:
  // The account must outlive this; bodies must have left.
  MemoryGuard(Loop& loop, MemoryAccount& account);

  MemoryAccount& account() { return account_; }
  // No new request is taken up.
  bool is_exhausted() const { return account_.is_exhausted(); }

  // Raises the charge to that many bytes if the account is not tight then; else leaves it as it was.
  bool admit(Charge& charge, size_t bytes);

  // Looks at the account; true when a body that has entered should not be read on now.
  bool should_pause();
  void enter(GuardedBody& body) { bodies_.push_back(&body); }
  void leave(GuardedBody& body);

 private:
  void on_tick();
  void resume();

  MemoryAccount& account_;
  Loop& loop_;
  Timer timer_;
  std::vector<GuardedBody*> bodies_;  // oldest first
  bool is_paused_ = false;
  TimePoint paused_since_{};
};

}  // namespace transom
