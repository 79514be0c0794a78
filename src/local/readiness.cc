#include "local/readiness.h"

#include <utility>

namespace transom {

void Readiness::add_backend(std::string name, std::shared_ptr<const BackendState> state, bool has_schema) {
  backends_.push_back(std::make_unique<Entry>());
  backends_.back()->name = std::move(name);
  backends_.back()->state = std::move(state);
  set_has_schema(backends_.size() - 1, has_schema);
}

bool Readiness::can_serve(size_t backend) const {
  const Entry& entry = *backends_[backend];
  return entry.state->any_up() && entry.has_schema.load(std::memory_order_relaxed);
}

bool Readiness::is_ready() const { return unready_reason().empty(); }

std::string Readiness::unready_reason() const {
  if (is_draining()) {
    return "draining";
  }
  if (rule_ == ReadyRule::None) {
    return "";
  }
  if (is_installing_.load(std::memory_order_relaxed)) {
    return "a new schema is being taken up";
  }
  std::string reason;
  size_t serving = 0;
  for (size_t i = 0; i < backends_.size(); ++i) {
    if (can_serve(i)) {
      ++serving;
      continue;
    }
    const Entry& entry = *backends_[i];
    reason += (reason.empty() ? "backend " : "; backend ") + entry.name;
    reason += entry.state->any_up() ? " has not told its schema yet" : " has no replica up";
  }
  return rule_ == ReadyRule::Any && serving > 0 ? "" : reason;
}

}  // namespace transom
