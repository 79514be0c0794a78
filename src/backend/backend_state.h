// BackendState is what all workers share of one backend: which replicas are up and how many calls each has in flight.
// One per process and backend; it outlives reloads. Thread-safe: relaxed atomics, and a lock for the rare on_up.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "backend/backend_options.h"

namespace transom {

class BackendState {
 public:
  static std::shared_ptr<BackendState> make(const BackendOptions& options);
  explicit BackendState(const BackendOptions& options);

  size_t replicas() const { return replicas_.size(); }
  const std::string& replica_name(size_t index) const { return replicas_[index]->name; }
  // Any worker has an open channel to it.
  bool is_up(size_t index) const { return replicas_[index]->workers_up.load(std::memory_order_relaxed) > 0; }
  bool any_up() const;
  // Calls that picked it and have not ended, of all workers; those that wait for a channel with room are among them.
  int64_t in_flight(size_t index) const { return replicas_[index]->in_flight.load(std::memory_order_relaxed); }
  // Calls that wait for a replica to come up or for a channel with room, of all workers.
  int64_t waiting() const { return waiting_.load(std::memory_order_relaxed); }

  // Called on a worker's thread each time that worker's first channel to a replica opens: with several workers, once
  // for each. Reflection asks anew.
  void set_on_up(std::function<void(size_t index)> on_up);

  // For this folder.
  void begin_call(size_t index) { replicas_[index]->in_flight.fetch_add(1, std::memory_order_relaxed); }
  void end_call(size_t index) { replicas_[index]->in_flight.fetch_sub(1, std::memory_order_relaxed); }
  void begin_wait() { waiting_.fetch_add(1, std::memory_order_relaxed); }
  void end_wait() { waiting_.fetch_sub(1, std::memory_order_relaxed); }
  void worker_up(size_t index);
  void worker_down(size_t index) { replicas_[index]->workers_up.fetch_sub(1, std::memory_order_relaxed); }

 private:
  // A cache line each: workers write the counters on every call.
  struct alignas(64) ReplicaState {
    std::string name;
    std::atomic<int64_t> in_flight{0};
    std::atomic<int32_t> workers_up{0};
  };

  std::vector<std::unique_ptr<ReplicaState>> replicas_;
  std::atomic<int64_t> waiting_{0};  // written only where a call finds no room
  std::mutex on_up_lock_;
  std::function<void(size_t index)> on_up_;
};

}  // namespace transom
