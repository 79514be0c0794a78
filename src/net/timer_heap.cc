#include "net/timer_heap.h"

#include <algorithm>

namespace transom {

void TimerHeap::place(Timer& timer) {
  if (timer.heap_index_ != Timer::kInactive && (timer.heap_index_ & kDue) != 0) {
    remove(timer);
  }
  Entry entry{timer.when_, started_++, &timer};
  if (timer.heap_index_ == Timer::kInactive) {
    entries_.push_back(entry);
    sift_up(entries_.size() - 1, entry);
    return;
  }
  size_t index = timer.heap_index_;
  if (is_before(entry, entries_[index])) {
    sift_up(index, entry);
  } else {
    sift_down(index, entry);
  }
}

void TimerHeap::remove(Timer& timer) {
  size_t index = timer.heap_index_;
  if (index == Timer::kInactive) {
    return;
  }
  timer.heap_index_ = Timer::kInactive;
  if ((index & kDue) != 0) {
    due_[index & ~kDue] = nullptr;
  } else {
    erase(index);
  }
}

void TimerHeap::expire(TimePoint now) {
  due_.clear();
  while (!entries_.empty() && entries_.front().when <= now) {
    Timer* timer = entries_.front().timer;
    timer->heap_index_ = kDue | due_.size();
    due_.push_back(timer);
    erase(0);
  }
  for (size_t i = 0; i < due_.size(); ++i) {
    Timer* timer = due_[i];
    if (timer != nullptr) {
      due_[i] = nullptr;
      timer->heap_index_ = Timer::kInactive;
      timer->on_timeout_();
    }
  }
}

void TimerHeap::put(size_t index, const Entry& entry) {
  entries_[index] = entry;
  entry.timer->heap_index_ = index;
}

void TimerHeap::sift_up(size_t index, const Entry& entry) {
  while (index > 0) {
    size_t parent = (index - 1) / kWays;
    if (!is_before(entry, entries_[parent])) {
      break;
    }
    put(index, entries_[parent]);
    index = parent;
  }
  put(index, entry);
}

void TimerHeap::sift_down(size_t index, const Entry& entry) {
  for (;;) {
    size_t first = index * kWays + 1;
    if (first >= entries_.size()) {
      break;
    }
    size_t last = std::min(first + kWays, entries_.size());
    size_t least = first;
    for (size_t child = first + 1; child < last; ++child) {
      if (is_before(entries_[child], entries_[least])) {
        least = child;
      }
    }
    if (!is_before(entries_[least], entry)) {
      break;
    }
    put(index, entries_[least]);
    index = least;
  }
  put(index, entry);
}

void TimerHeap::erase(size_t index) {
  Entry last = entries_.back();
  entries_.pop_back();
  if (index == entries_.size()) {
    return;
  }
  if (index > 0 && is_before(last, entries_[(index - 1) / kWays])) {
    sift_up(index, last);
  } else {
    sift_down(index, last);
  }
}

}  // namespace transom
