#include "base/byte_queue.h"

#include <algorithm>
#include <cstring>

#include "base/check.h"

namespace transom {
namespace {

constexpr size_t kTailBlockBytes = 16 * 1024;
constexpr size_t kMovedBytesMin = 4 * 1024;  // below this a copy is cheaper than another block
constexpr size_t kEmptyBlocksMax = 32;       // before the others are moved to the front
constexpr size_t kBacklogBytes = 16 * 1024;  // behind so many, what comes will wait

}  // namespace

void ByteQueue::push(std::string_view bytes) {
  if (bytes.empty()) {
    return;
  }
  bool fits_tail = !blocks_.empty() && blocks_.back().size() + bytes.size() <= kTailBlockBytes;
  if (fits_tail) {
    blocks_.back().append(bytes);
  } else {
    blocks_.emplace_back(bytes);
  }
  size_ += bytes.size();
  charge_.set(size_);
}

void ByteQueue::push(std::string&& bytes) {
  bool is_first = blocks_.empty() && !bytes.empty();
  if (bytes.size() < kMovedBytesMin && !is_first) {
    push(std::string_view(bytes));
    return;
  }
  if (size_ >= kBacklogBytes && bytes.capacity() - bytes.size() > bytes.size() / 4) {
    bytes.shrink_to_fit();  // what grew by doubling would hold twice what is counted
  }
  size_ += bytes.size();
  blocks_.push_back(std::move(bytes));
  charge_.set(size_);
}

std::string_view ByteQueue::front() const {
  return blocks_.empty() ? std::string_view() : std::string_view(blocks_[first_]).substr(front_at_);
}

void ByteQueue::pop(size_t n) {
  check(n <= size_, "a queue gives no more than it has");
  size_ -= n;
  while (n > 0) {
    size_t left = blocks_[first_].size() - front_at_;
    size_t step = std::min(left, n);
    n -= step;
    front_at_ += step;
    if (step == left) {
      drop_front_block();
    }
  }
  charge_.set(size_);
}

void ByteQueue::drop_front_block() {
  front_at_ = 0;
  blocks_[first_] = std::string();
  ++first_;
  if (first_ == blocks_.size()) {
    blocks_.clear();
    first_ = 0;
  } else if (first_ >= kEmptyBlocksMax && first_ * 2 >= blocks_.size()) {
    blocks_.erase(blocks_.begin(), blocks_.begin() + static_cast<ptrdiff_t>(first_));
    first_ = 0;
  }
}

size_t ByteQueue::read(char* target, size_t n) {
  size_t done = 0;
  while (done < n && !empty()) {
    std::string_view piece = front().substr(0, n - done);
    std::memcpy(target + done, piece.data(), piece.size());
    done += piece.size();
    pop(piece.size());
  }
  return done;
}

void ByteQueue::clear() {
  blocks_.clear();
  first_ = 0;
  front_at_ = 0;
  size_ = 0;
  charge_.set(0);
}

}  // namespace transom
