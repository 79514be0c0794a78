// Picker chooses the replica for a call among those that are up, by the backend's policy. One per backend and worker;
// the loads it compares are the whole process's. least_request looks at every replica up to 8 and above that at two
// different ones drawn at random; equal loads take turns.
#pragma once

#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "backend/backend_state.h"

namespace transom {

struct Candidate {
  size_t index;     // of the replica in its backend
  uint32_t weight;  // at least 1
};

class Picker {
 public:
  Picker(Policy policy, const BackendState& state, uint32_t seed);

  // The index of one of `up`, which must not be empty.
  size_t pick(std::span<const Candidate> up);

 private:
  size_t pick_in_turn(std::span<const Candidate> up);
  size_t pick_least_of_all(std::span<const Candidate> up);
  size_t pick_least_of_two(std::span<const Candidate> up);
  bool is_less_loaded(const Candidate& a, const Candidate& b) const;

  const Policy policy_;
  const BackendState& state_;
  std::minstd_rand random_;
  size_t turn_ = 0;
  std::vector<int64_t> credit_;  // smooth weighted round robin, by replica
};

}  // namespace transom
