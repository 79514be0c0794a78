#include "proxy/memory_guard.h"

#include <algorithm>

namespace transom {
namespace {

constexpr std::chrono::milliseconds kTick{100};
constexpr std::chrono::seconds kPatience{1};

}  // namespace

MemoryGuard::MemoryGuard(Loop& loop, MemoryAccount& account)
    : account_(account), loop_(loop), timer_(loop, [this] { on_tick(); }) {}

bool MemoryGuard::admit(Charge& charge, size_t bytes) {
  const size_t before = charge.bytes();
  // Charged first and looked at then, so that two workers cannot both take the last of the budget.
  charge.set(bytes);
  if (!account_.is_tight()) {
    return true;
  }
  charge.set(before);
  return false;
}

bool MemoryGuard::should_pause() {
  if (!is_paused_ && account_.is_tight()) {
    is_paused_ = true;
    paused_since_ = loop_.now();
    timer_.start(kTick);
  }
  return is_paused_;
}

void MemoryGuard::leave(GuardedBody& body) { std::erase(bodies_, &body); }

void MemoryGuard::resume() {
  is_paused_ = false;
  timer_.stop();
  // A body may leave while it is told.
  const std::vector<GuardedBody*> told = bodies_;
  for (GuardedBody* body : told) {
    if (std::find(bodies_.begin(), bodies_.end(), body) != bodies_.end()) {
      body->on_body_resumed();
    }
  }
}

void MemoryGuard::on_tick() {
  if (!account_.is_tight()) {
    resume();
    return;
  }
  timer_.start(kTick);
  if (loop_.now() - paused_since_ >= kPatience && !bodies_.empty()) {
    GuardedBody* youngest = bodies_.back();
    bodies_.pop_back();
    youngest->on_body_shed();
  }
}

}  // namespace transom
