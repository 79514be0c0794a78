// InlineStack is a stack of plain values whose first N live inside it, so that a small message costs no allocation.
// It grows on the heap above that and never shrinks. One owner, usually a local variable; not copyable.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <type_traits>

namespace transom {

template <class T, size_t N>
class InlineStack {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  InlineStack() : data_(inline_) {}
  InlineStack(const InlineStack&) = delete;
  InlineStack& operator=(const InlineStack&) = delete;

  void push(const T& value) {
    if (size_ == capacity_) [[unlikely]] {
      grow(size_ + 1);
    }
    data_[size_++] = value;
  }
  // n more, zero bytes; returns the index of the first. Pointers into the stack are void afterwards.
  size_t push_zeros(size_t n) {
    if (size_ + n > capacity_) [[unlikely]] {
      grow(size_ + n);
    }
    for (size_t i = 0; i < n; ++i) {
      data_[size_ + i] = T{};
    }
    size_ += n;
    return size_ - n;
  }
  void pop_to(size_t size) { size_ = size; }

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T& operator[](size_t index) { return data_[index]; }
  T& back() { return data_[size_ - 1]; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }

 private:
  void grow(size_t wanted) {
    size_t capacity = capacity_ * 2 > wanted ? capacity_ * 2 : wanted;
    auto bigger = std::make_unique_for_overwrite<T[]>(capacity);
    std::memcpy(static_cast<void*>(bigger.get()), data_, size_ * sizeof(T));
    heap_ = std::move(bigger);
    data_ = heap_.get();
    capacity_ = capacity;
  }

  T* data_;
  size_t size_ = 0;
  size_t capacity_ = N;
  std::unique_ptr<T[]> heap_;
  T inline_[N];
};

}  // namespace transom
