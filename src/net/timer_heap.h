// TimerHeap orders the timers of one Loop by when they are due, those of the same moment by when they were started. It
// is a four-way heap whose entries carry their key, so that sifting touches no timer but those it moves. It owns no
// timer: each takes itself out when it is stopped or destroyed. The Loop owns the heap; one thread.
#pragma once

#include <cstdint>
#include <vector>

#include "net/timer.h"

namespace transom {

class TimerHeap {
 public:
  // Puts the timer in, or moves it, by its when_.
  void place(Timer& timer);
  void remove(Timer& timer);
  bool empty() const { return entries_.empty(); }
  // TimePoint::max() when empty.
  TimePoint earliest() const { return entries_.empty() ? TimePoint::max() : entries_.front().when; }
  // Calls back what is due at that time, in order. What a callback starts waits for the next call, even if it is due.
  void expire(TimePoint now);

 private:
  struct Entry {
    TimePoint when;
    uint64_t order;
    Timer* timer;
  };
  // A heap_index_ with this bit stands in due_, not in entries_.
  static constexpr size_t kDue = size_t{1} << 62;
  static constexpr size_t kWays = 4;

  static bool is_before(const Entry& a, const Entry& b) {
    return a.when != b.when ? a.when < b.when : a.order < b.order;
  }
  void put(size_t index, const Entry& entry);
  void sift_up(size_t index, const Entry& entry);
  void sift_down(size_t index, const Entry& entry);
  void erase(size_t index);

  std::vector<Entry> entries_;
  std::vector<Timer*> due_;  // taken out by expire() and not yet called; null: stopped meanwhile
  uint64_t started_ = 0;
};

}  // namespace transom
