// A Backend is one named set of replicas as one worker sees it: it picks a replica for each call, keeps this worker's
// channels to every replica open, and retries calls that were provably never processed. What all workers must agree on
// (who is up, what is in flight) is in BackendState, one per process and backend, which outlives reloads.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "backend/backend_options.h"
#include "backend/backend_state.h"
#include "backend/call.h"
#include "base/memory_account.h"

namespace transom {

// What becomes of replicas and calls, for metrics and log; called on the worker's thread.
class BackendObserver {
 public:
  // This worker's first channel opened or its last one closed.
  virtual void on_replica_up(const std::string& replica, bool is_up) = 0;
  // One stream to one replica, from its opening; a retried call begins and ends once for each that it got.
  virtual void on_replica_call_begin(const std::string& replica) = 0;
  virtual void on_replica_call_end(const std::string& replica, Code code, std::chrono::nanoseconds took) = 0;
  // A call was refused because as many wait as may.
  virtual void on_call_refused() = 0;
  virtual void on_retry(const std::string& replica, const std::string& reason) = 0;
  virtual void on_channel_failed(const std::string& replica, const std::string& reason) = 0;

 protected:
  ~BackendObserver() = default;
};

class Backend {
 public:
  // account and observer may be null.
  static std::unique_ptr<Backend> make(Loop& loop, const BackendOptions& options, std::shared_ptr<BackendState> state,
                                       MemoryAccount* account, BackendObserver* observer);
  virtual ~Backend() = default;  // closes its channels; calls must be gone

  // Opens a channel to every replica and keeps it.
  virtual void open() = 0;
  // Another worker has reached that replica (its index in the options): one that is in back-off is tried at once, but
  // no more than ten times a second.
  virtual void try_now(size_t replica) = 0;
  // Never null; what goes wrong comes by on_call_end, later. UNAVAILABLE "no replica of backend iris is up: ..." when
  // none is.
  virtual std::unique_ptr<Call> start(CallHead head, CallHandler& handler) = 0;
  virtual const std::string& name() const = 0;
};

}  // namespace transom
