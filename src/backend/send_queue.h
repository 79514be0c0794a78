// SendQueue holds the bytes of one call on their way to a replica. What was read stays for rewind(), so that a call
// which its replica provably never processed can be sent to another, until forget() or until more than the bound was
// read. It charges what it holds to the MemoryAccount. Owned by its Call; one thread.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/memory_account.h"

namespace transom {

class SendQueue {
 public:
  // kept_bytes_max: read bytes kept for rewind(); 0 keeps none.
  SendQueue(MemoryAccount* account, size_t kept_bytes_max) : kept_bytes_max_(kept_bytes_max), charge_(account) {}

  void push(std::string&& bytes);
  // No more bytes will be pushed.
  void end() { is_ended_ = true; }
  bool is_ended() const { return is_ended_; }

  // Unread bytes.
  size_t size() const { return size_; }
  // Appends the first n unread bytes to target; n must not exceed size().
  void read(std::string& target, size_t n);
  // All bytes ever pushed are unread again; false, and nothing changed, if some are no longer held.
  bool rewind();
  // Keeps nothing of what was or will be read.
  void forget();
  void clear();

 private:
  void drop_read_blocks();
  void compact();

  size_t kept_bytes_max_;
  std::vector<std::string> blocks_;
  size_t block_ = 0;     // the first block with unread bytes
  size_t block_at_ = 0;  // bytes of it already read
  size_t size_ = 0;
  size_t kept_ = 0;       // read bytes still held
  bool is_whole_ = true;  // every byte ever pushed is held
  bool is_ended_ = false;
  Charge charge_;
};

}  // namespace transom
