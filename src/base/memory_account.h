// MemoryAccount counts every byte that requests hold in the process, for admission by memory (design decision 6).
// One per process, shared by all threads. A Charge is one holder's part of it and gives it back when it goes.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace transom {

class MemoryAccount {
 public:
  // budget_bytes: the most that requests should hold; must be above 0.
  explicit MemoryAccount(size_t budget_bytes) : budget_bytes_(budget_bytes) {}

  void add(int64_t bytes) { held_.fetch_add(bytes, std::memory_order_relaxed); }
  size_t held_bytes() const {
    int64_t held = held_.load(std::memory_order_relaxed);
    return held > 0 ? static_cast<size_t>(held) : 0;
  }
  size_t budget_bytes() const { return budget_bytes_; }

  // Above 80 %: new bodies over 64 KiB are refused and those being read pause.
  bool is_tight() const { return held_bytes() > budget_bytes_ / 100 * 80; }
  // Above 95 %: every new request is shed and accepts pause.
  bool is_exhausted() const { return held_bytes() > budget_bytes_ / 100 * 95; }

 private:
  std::atomic<int64_t> held_{0};
  const size_t budget_bytes_;
};

// Movable, not copyable. Without an account it counts nothing.
class Charge {
 public:
  Charge() = default;
  explicit Charge(MemoryAccount* account) : account_(account) {}
  Charge(Charge&& other) noexcept : account_(other.account_), bytes_(other.bytes_) { other.bytes_ = 0; }
  Charge& operator=(Charge&& other) noexcept {
    if (this != &other) {
      set(0);
      account_ = other.account_;
      bytes_ = other.bytes_;
      other.bytes_ = 0;
    }
    return *this;
  }
  ~Charge() { set(0); }

  // From now on this holder has that many bytes.
  void set(size_t bytes) {
    if (account_ != nullptr && bytes != bytes_) {
      account_->add(static_cast<int64_t>(bytes) - static_cast<int64_t>(bytes_));
    }
    bytes_ = bytes;
  }
  size_t bytes() const { return bytes_; }

 private:
  MemoryAccount* account_ = nullptr;
  size_t bytes_ = 0;
};

}  // namespace transom
