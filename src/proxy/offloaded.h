// Offloaded is one Conversion at work on the offload pool. It holds all that the work needs, a share of the snapshot
// included; destroying it cancels the work, and nobody is told then. Made and destroyed on the worker's thread.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "net/mailbox.h"
#include "net/offload_pool.h"
#include "protocol/conversion.h"
#include "proxy/snapshot.h"

namespace transom {

class Offloaded {
 public:
  using OnDone = std::function<void(Status status, const Conversion& conversion, std::string&& out)>;

  // Null when the pool's bound of waiting bytes is reached.
  static std::unique_ptr<Offloaded> start(OffloadPool& pool, Mailbox& mailbox, SnapshotPtr snapshot,
                                          Conversion conversion, OnDone on_done);

 private:
  explicit Offloaded(std::unique_ptr<OffloadPool::Ticket> ticket) : ticket_(std::move(ticket)) {}
  std::unique_ptr<OffloadPool::Ticket> ticket_;
};

}  // namespace transom
