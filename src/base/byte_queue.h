// ByteQueue holds bytes on their way out, in order: small pieces are copied into a tail block, large ones are moved in
// whole. Its reader takes views from the front and pops what has left. It may charge what it holds to a MemoryAccount.
// One owner, one thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/memory_account.h"

namespace transom {

class ByteQueue {
 public:
  ByteQueue() = default;
  explicit ByteQueue(MemoryAccount* account) : charge_(account) {}

  void push(std::string_view bytes);
  void push(std::string&& bytes);
  // The first unread bytes, empty when the queue is; valid until the next pop or push.
  std::string_view front() const;
  // n must not exceed size().
  void pop(size_t n);
  // Copies up to n bytes from the front into target and pops them; returns how many.
  size_t read(char* target, size_t n);
  void clear();

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

 private:
  void drop_front_block();

  // Not a deque, which allocates even when nothing is ever pushed.
  std::vector<std::string> blocks_;
  size_t first_ = 0;     // of blocks_; those before it are empty
  size_t front_at_ = 0;  // bytes of blocks_[first_] already popped
  size_t size_ = 0;
  Charge charge_;
};

}  // namespace transom
