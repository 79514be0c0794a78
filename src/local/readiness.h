// Readiness knows which backends can serve: one of their replicas is up and their schema is known. /readyz and
// grpc.health.v1 ask it, so that they never disagree. Owned by the Server, which tells it what changes; asked by any
// thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "backend/backend_state.h"

namespace transom {

// Which backends must be able to serve for the whole to be ready.
enum class ReadyRule : uint8_t { All, Any, None };

class Readiness {
 public:
  explicit Readiness(ReadyRule rule) : rule_(rule) {}
  Readiness(const Readiness&) = delete;
  Readiness& operator=(const Readiness&) = delete;

  // Before any thread asks, in the order of Snapshot::backends.
  void add_backend(std::string name, std::shared_ptr<const BackendState> state, bool has_schema);

  // By the control thread.
  void set_draining() { is_draining_.store(true, std::memory_order_relaxed); }
  void set_installing(bool is_installing) { is_installing_.store(is_installing, std::memory_order_relaxed); }
  void set_has_schema(size_t backend, bool has_schema) {
    backends_[backend]->has_schema.store(has_schema, std::memory_order_relaxed);
  }

  bool is_draining() const { return is_draining_.load(std::memory_order_relaxed); }
  bool can_serve(size_t backend) const;
  bool is_ready() const;
  // "" when ready, else a sentence.
  std::string unready_reason() const;

 private:
  struct Entry {
    std::string name;
    std::shared_ptr<const BackendState> state;
    std::atomic<bool> has_schema;
  };

  const ReadyRule rule_;
  std::vector<std::unique_ptr<Entry>> backends_;
  std::atomic<bool> is_draining_{false};
  std::atomic<bool> is_installing_{false};
};

}  // namespace transom
