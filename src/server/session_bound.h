// SessionBound counts the client sessions of the whole process and says whether one more may be served. The Server owns
// it, and it outlives the workers, which take a place before a session begins and give it back when it has ended: any
// thread, one atomic per session and none per request. A place that is never given back is lost.
#pragma once

#include <atomic>
#include <cstddef>

namespace transom {

class SessionBound {
 public:
  explicit SessionBound(size_t places) : places_(places) {}

  bool has_room() const { return taken_.load(std::memory_order_relaxed) < places_; }
  // Never more at once than there are places, whatever other threads do.
  bool take() {
    if (taken_.fetch_add(1, std::memory_order_relaxed) < places_) return true;
    give_back();
    return false;
  }
  void give_back() { taken_.fetch_sub(1, std::memory_order_relaxed); }

 private:
  const size_t places_;
  std::atomic<size_t> taken_{0};
};

}  // namespace transom
