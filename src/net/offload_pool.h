// OffloadPool runs pure, long work (transcoding of a big body) on its own threads and brings the result back to the
// loop that asked (design decision 5). The work owns all it needs and has no pointer back; destroying its ticket sets
// the cancel flag and keeps on_done from coming. Bytes waiting are bounded.
#pragma once

#include <atomic>
#include <functional>
#include <memory>

#include "net/loop.h"
#include "net/mailbox.h"

namespace transom {

class OffloadPool {
 public:
  class Ticket {
   public:
    virtual ~Ticket() = default;  // on the loop's thread
  };
  using Work = std::function<void(const std::atomic<bool>& cancelled)>;

  static std::unique_ptr<OffloadPool> make(int threads, size_t queued_bytes_max);
  virtual ~OffloadPool() = default;

  // work runs on a pool thread; then on_done on the mailbox's loop unless the ticket is gone. What work captured is
  // destroyed on either thread. Null when queued_bytes_max would be passed (a job is always taken when none waits).
  virtual std::unique_ptr<Ticket> submit(size_t bytes, Work work, Mailbox& mailbox, std::function<void()> on_done) = 0;
};

}  // namespace transom
