// A Backend is one named set of replicas as one worker sees it: it picks a replica for each call, keeps this worker's
// channels to every replica open, and retries calls that were provably never processed. What all workers must agree on
// (who is up, what is in flight) is in BackendState, one per process and backend, which outlives reloads.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "backend/call.h"
#include "base/limits.h"
#include "base/memory_account.h"
#include "net/address.h"

namespace transom {

enum class Policy : uint8_t { RoundRobin, LeastRequest };

struct ReplicaOptions {
  Address address;
  std::string name;        // as configured: the metric's `replica`
  uint32_t weight = 1;
};

struct BackendOptions {
  std::string name;
  std::vector<ReplicaOptions> replicas;
  Policy policy = Policy::LeastRequest;
  ChannelLimits limits;
};

// What becomes of replicas and calls, for metrics and log; called on the worker's thread.
class BackendObserver {
 public:
  virtual void on_replica_up(const std::string& replica, bool is_up) = 0;          // this worker's first channel opened or last one closed
  virtual void on_replica_call_begin(const std::string& replica) = 0;
  virtual void on_replica_call_end(const std::string& replica, Code code, std::chrono::nanoseconds took) = 0;
  virtual void on_retry(const std::string& replica, const std::string& reason) = 0;
  virtual void on_channel_failed(const std::string& replica, const std::string& reason) = 0;

 protected:
  ~BackendObserver() = default;
};

// Process-wide part, thread-safe.
class BackendState {
 public:
  static std::shared_ptr<BackendState> make(const BackendOptions& options);
  virtual ~BackendState() = default;
  virtual size_t replicas() const = 0;
  virtual const std::string& replica_name(size_t index) const = 0;
  virtual bool is_up(size_t index) const = 0;          // any worker has an open channel to it
  virtual int64_t in_flight(size_t index) const = 0;
  virtual bool any_up() const = 0;
  // Called (on some worker's thread) each time a replica comes up again: reflection asks anew.
  virtual void set_on_up(std::function<void(size_t index)> on_up) = 0;
};

class Backend {
 public:
  static std::unique_ptr<Backend> make(Loop& loop, const BackendOptions& options, std::shared_ptr<BackendState> state,
                                       MemoryAccount* account, BackendObserver* observer);
  virtual ~Backend() = default;  // closes its channels; calls must be gone

  // Opens a channel to every replica and keeps it.
  virtual void open() = 0;
  // Never null; what goes wrong comes by on_call_end, later. UNAVAILABLE "no replica of backend iris is up: ..." when none is.
  virtual std::unique_ptr<Call> start(CallHead head, CallHandler& handler) = 0;
  virtual const std::string& name() const = 0;
};

}  // namespace transom
