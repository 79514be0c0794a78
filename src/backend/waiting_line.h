// WaitingLine holds the calls of one replica and worker that wait for a channel with room, first come, first served.
// Owned by a Replica; the calls by their users: one that goes takes itself out. They count in the backend's state.
#pragma once

#include <cstddef>
#include <list>

#include "backend/backend_state.h"

namespace transom {

class ChannelCall;

class WaitingLine {
 public:
  using Place = std::list<ChannelCall*>::iterator;

  // state outlives it.
  explicit WaitingLine(BackendState& state) : state_(state) {}

  Place add(ChannelCall& call) {
    state_.begin_wait();
    return calls_.insert(calls_.end(), &call);
  }
  void remove(Place place) {
    state_.end_wait();
    calls_.erase(place);
  }
  ChannelCall& front() { return *calls_.front(); }
  size_t size() const { return calls_.size(); }
  bool empty() const { return calls_.empty(); }

 private:
  BackendState& state_;
  std::list<ChannelCall*> calls_;
};

}  // namespace transom
