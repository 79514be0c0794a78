// WaitingLine holds the calls of one replica and worker that wait for a channel with room, first come, first served.
// Owned by a Replica; the calls by their users: one that goes takes itself out.
#pragma once

#include <cstddef>
#include <list>

namespace transom {

class ChannelCall;

class WaitingLine {
 public:
  using Place = std::list<ChannelCall*>::iterator;

  Place add(ChannelCall& call) { return calls_.insert(calls_.end(), &call); }
  void remove(Place place) { calls_.erase(place); }
  ChannelCall& front() { return *calls_.front(); }
  size_t size() const { return calls_.size(); }
  bool empty() const { return calls_.empty(); }

 private:
  std::list<ChannelCall*> calls_;
};

}  // namespace transom
