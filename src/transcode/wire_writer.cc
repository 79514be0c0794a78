#include "transcode/wire_writer.h"

#include <algorithm>

namespace transom {
namespace {

// protobuf itself takes no message of 2 GiB, and 32 bits must hold every position.
constexpr size_t kMessageBytesMax = 0x7fffffff;
constexpr size_t kSlackBytes = 64;

}  // namespace

WireWriter::WireWriter(std::string& out, size_t bytes_max, size_t bytes_hint)
    : out_(out), prior_bytes_(out.size()), bytes_max_(std::min(bytes_max, kMessageBytesMax)) {
  out_.resize(prior_bytes_ + std::min(bytes_hint, bytes_max_) + kSlackBytes);
  start_ = out_.data() + prior_bytes_;
  at_ = start_;
  end_ = out_.data() + out_.size();
}

bool WireWriter::grow(size_t n) {
  size_t written = position();
  // What is reserved may be more than what is then written, so that the bound holds exactly only in finish().
  if (written > bytes_max_) {
    is_over_bound_ = true;
    return false;
  }
  size_t capacity = std::max(written + n, std::min(2 * written, bytes_max_)) + kSlackBytes;
  out_.resize(prior_bytes_ + capacity);
  start_ = out_.data() + prior_bytes_;
  at_ = start_ + written;
  end_ = out_.data() + out_.size();
  return true;
}

void WireWriter::end(size_t mark) {
  Prefix& prefix = prefixes_[mark];
  size_t length = position() - prefix.position - 1 + (extra_ - prefix.length);
  if (length < 0x80) {
    start_[prefix.position] = static_cast<char>(length);
    prefixes_.pop_to(mark);
    return;
  }
  prefix.length = static_cast<uint32_t>(length);
  extra_ += static_cast<uint32_t>(varint_bytes(length) - 1);
}

void WireWriter::restore(const Saved& saved) {
  at_ = start_ + saved.position;
  prefixes_.pop_to(saved.prefixes);
  extra_ = saved.extra;
}

void WireWriter::erase(size_t from, size_t to) {
  std::memmove(start_ + from, start_ + to, position() - to);
  at_ -= to - from;
  Prefix* kept = std::lower_bound(prefixes_.begin(), prefixes_.end(), from,
                                  [](const Prefix& prefix, size_t position) { return prefix.position < position; });
  for (Prefix* prefix = kept; prefix != prefixes_.end(); ++prefix) {
    if (prefix->position < to) {
      extra_ -= static_cast<uint32_t>(varint_bytes(prefix->length) - 1);
    } else {
      *kept = *prefix;
      kept->position -= static_cast<uint32_t>(to - from);
      ++kept;
    }
  }
  prefixes_.pop_to(static_cast<size_t>(kept - prefixes_.begin()));
}

bool WireWriter::finish() {
  size_t written = position();
  size_t total = written + extra_;
  if (is_over_bound_ || total > bytes_max_) {
    is_over_bound_ = true;
    out_.resize(prior_bytes_);
    return false;
  }
  out_.resize(prior_bytes_ + total);
  start_ = out_.data() + prior_bytes_;
  char* from_end = start_ + written;
  char* to_end = start_ + total;
  for (size_t i = prefixes_.size(); i-- > 0;) {
    const Prefix& prefix = prefixes_[i];
    size_t bytes = static_cast<size_t>(from_end - (start_ + prefix.position + 1));
    to_end -= bytes;
    std::memmove(to_end, from_end - bytes, bytes);
    to_end -= varint_bytes(prefix.length);
    write_varint(to_end, prefix.length);
    from_end = start_ + prefix.position;
  }
  prefixes_.pop_to(0);
  extra_ = 0;
  return true;
}

}  // namespace transom
