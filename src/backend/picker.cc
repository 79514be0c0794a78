#include "backend/picker.h"

#include "base/check.h"

namespace transom {
namespace {

constexpr size_t kFullScanMax = 8;

}  // namespace

Picker::Picker(Policy policy, const BackendState& state, uint32_t seed)
    : policy_(policy), state_(state), random_(seed), turn_(seed), credit_(state.replicas()) {}

size_t Picker::pick(std::span<const Candidate> up) {
  check(!up.empty(), "someone to pick");
  if (up.size() == 1) {
    return up.front().index;
  }
  if (policy_ == Policy::RoundRobin) {
    return pick_in_turn(up);
  }
  return up.size() <= kFullScanMax ? pick_least_of_all(up) : pick_least_of_two(up);
}

// Each gets its weight in credit, the richest pays for all: weights 2, 1 give a b a a b a, not a a b.
size_t Picker::pick_in_turn(std::span<const Candidate> up) {
  const Candidate* best = nullptr;
  int64_t total = 0;
  for (const Candidate& candidate : up) {
    credit_[candidate.index] += candidate.weight;
    total += candidate.weight;
    if (best == nullptr || credit_[candidate.index] > credit_[best->index]) {
      best = &candidate;
    }
  }
  credit_[best->index] -= total;
  return best->index;
}

size_t Picker::pick_least_of_all(std::span<const Candidate> up) {
  size_t first = turn_++ % up.size();
  const Candidate* best = &up[first];
  for (size_t step = 1; step < up.size(); ++step) {
    const Candidate& candidate = up[(first + step) % up.size()];
    if (is_less_loaded(candidate, *best)) {
      best = &candidate;
    }
  }
  return best->index;
}

size_t Picker::pick_least_of_two(std::span<const Candidate> up) {
  size_t first = random_() % up.size();
  size_t second = random_() % (up.size() - 1);
  second += second >= first ? 1 : 0;
  return is_less_loaded(up[second], up[first]) ? up[second].index : up[first].index;
}

// (in_flight + 1) / weight, without the division.
bool Picker::is_less_loaded(const Candidate& a, const Candidate& b) const {
  return (state_.in_flight(a.index) + 1) * b.weight < (state_.in_flight(b.index) + 1) * a.weight;
}

}  // namespace transom
