// The two things that are counted with: Counter and Histogram. Each has one writer, its worker's thread, which adds
// without a locked instruction; any thread may read, relaxed. A reader may see a histogram between two of its stores,
// so its total is taken from the buckets, which then always agree with it.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>

namespace transom {

class Counter {
 public:
  void add(int64_t by = 1) { value_.store(value_.load(std::memory_order_relaxed) + by, std::memory_order_relaxed); }
  int64_t value() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<int64_t> value_{0};
};

// Durations by upper bound; what is above the last bound counts in one bucket more.
class Histogram {
 public:
  static constexpr size_t kBoundsMax = 20;

  // bounds: ascending, at most kBoundsMax, and they must outlive the histogram.
  explicit Histogram(std::span<const std::chrono::nanoseconds> bounds);

  void observe(std::chrono::nanoseconds value) {
    size_t bucket = 0;
    while (bucket < bounds_.size() && value > bounds_[bucket]) {
      ++bucket;
    }
    buckets_[bucket].add();
    sum_.add(value.count());
  }
  std::span<const std::chrono::nanoseconds> bounds() const { return bounds_; }
  // Not cumulative; index bounds().size() is what was above all bounds.
  int64_t bucket(size_t index) const { return buckets_[index].value(); }
  std::chrono::nanoseconds sum() const { return std::chrono::nanoseconds(sum_.value()); }

 private:
  std::span<const std::chrono::nanoseconds> bounds_;
  std::array<Counter, kBoundsMax + 1> buckets_;
  Counter sum_;
};

// 100 us to 60 s, for requests and calls.
std::span<const std::chrono::nanoseconds> request_bounds();
// 100 us to 1 s, for how late a loop comes round.
std::span<const std::chrono::nanoseconds> lag_bounds();

}  // namespace transom
