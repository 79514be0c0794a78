#include "backend/send_queue.h"

#include <algorithm>

#include "base/check.h"

namespace transom {
namespace {

constexpr size_t kJoinedBlockBytes = 16 * 1024;  // small pushes share a block up to this
constexpr size_t kCompactAfterBlocks = 16;

}  // namespace

void SendQueue::push(std::string&& bytes) {
  if (bytes.empty()) {
    return;
  }
  size_ += bytes.size();
  bool is_last_unread = block_ < blocks_.size();
  if (is_last_unread && blocks_.back().size() + bytes.size() <= kJoinedBlockBytes) {
    blocks_.back().append(bytes);
  } else {
    blocks_.push_back(std::move(bytes));
  }
  charge_.set(size_ + kept_);
}

void SendQueue::read(std::string& target, size_t n) {
  check(n <= size_, "a queue gives no more than it has");
  size_ -= n;
  kept_ += n;
  while (n > 0) {
    const std::string& block = blocks_[block_];
    size_t step = std::min(n, block.size() - block_at_);
    target.append(block, block_at_, step);
    n -= step;
    block_at_ += step;
    if (block_at_ == block.size()) {
      ++block_;
      block_at_ = 0;
    }
  }
  if (kept_ > kept_bytes_max_) {
    forget();
  }
}

bool SendQueue::rewind() {
  if (!is_whole_) {
    return false;
  }
  size_ += kept_;
  kept_ = 0;
  block_ = 0;
  block_at_ = 0;
  return true;
}

void SendQueue::forget() {
  kept_bytes_max_ = 0;
  drop_read_blocks();
}

void SendQueue::clear() {
  is_whole_ = is_whole_ && size_ + kept_ == 0;
  blocks_.clear();
  block_ = 0;
  block_at_ = 0;
  size_ = 0;
  kept_ = 0;
  charge_.set(0);
}

void SendQueue::drop_read_blocks() {
  is_whole_ = is_whole_ && kept_ == 0;
  for (size_t i = block_; i > 0 && !blocks_[i - 1].empty(); --i) {
    blocks_[i - 1] = std::string();
  }
  kept_ = block_at_;  // the read part of the first block goes with its rest
  compact();
  charge_.set(size_ + kept_);
}

void SendQueue::compact() {
  if (block_ == blocks_.size()) {
    blocks_.clear();
    block_ = 0;
  } else if (block_ >= kCompactAfterBlocks && block_ * 2 >= blocks_.size()) {
    blocks_.erase(blocks_.begin(), blocks_.begin() + static_cast<ptrdiff_t>(block_));
    block_ = 0;
  }
}

}  // namespace transom
