#include "backend/backend_state.h"

#include <algorithm>

namespace transom {

std::shared_ptr<BackendState> BackendState::make(const BackendOptions& options) {
  return std::make_shared<BackendState>(options);
}

BackendState::BackendState(const BackendOptions& options) {
  for (const ReplicaOptions& replica : options.replicas) {
    replicas_.push_back(std::make_unique<ReplicaState>());
    replicas_.back()->name = replica.name;
  }
}

bool BackendState::any_up() const {
  return std::any_of(replicas_.begin(), replicas_.end(), [](const std::unique_ptr<ReplicaState>& replica) {
    return replica->workers_up.load(std::memory_order_relaxed) > 0;
  });
}

void BackendState::set_on_up(std::function<void(size_t index)> on_up) {
  std::lock_guard lock(on_up_lock_);
  on_up_ = std::move(on_up);
}

void BackendState::worker_up(size_t index) {
  replicas_[index]->workers_up.fetch_add(1, std::memory_order_relaxed);
  std::function<void(size_t index)> on_up;
  {
    std::lock_guard lock(on_up_lock_);
    on_up = on_up_;
  }
  if (on_up) {
    on_up(index);
  }
}

}  // namespace transom
