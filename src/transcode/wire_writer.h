// WireWriter appends one protobuf message to a string. A submessage's length is not known when it begins: one byte is
// left for it, and the few lengths that need more are put in by a single pass at the end, from back to front, so that
// each byte moves at most once however deep it is nested. The message is bounded while it is written.
// A local variable of one transcoding; one thread; finish() or destruction ends it.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "base/small_bytes.h"
#include "schema/plan.h"
#include "transcode/inline_stack.h"

namespace transom {

inline constexpr size_t kVarintBytesMax = 10;
// Room for a tag and a scalar of any kind.
inline constexpr size_t kScalarBytesMax = 16;

inline size_t varint_bytes(uint64_t value) {
  return (static_cast<size_t>(63 - __builtin_clzll(value | 1)) * 9 + 73) / 64;
}

inline char* write_varint(char* at, uint64_t value) {
  while (value >= 0x80) {
    *at++ = static_cast<char>(value | 0x80);
    value >>= 7;
  }
  *at++ = static_cast<char>(value);
  return at;
}

inline void append_varint(uint64_t value, std::string& out) {
  char bytes[kVarintBytesMax];
  out.append(bytes, static_cast<size_t>(write_varint(bytes, value) - bytes));
}

// Written without a loop, whose length is hard to predict for negative numbers; may write into ten bytes whatever the
// value.
inline char* write_varint_wide(char* at, uint64_t value) {
  if (value < 0x80) {
    *at = static_cast<char>(value);
    return at + 1;
  }
  constexpr uint64_t kMore = 0x8080808080808080;
  uint64_t bytes = (value & 0x000000000fffffff) | (value & 0x00fffffff0000000) << 4;
  bytes = (bytes & 0x00003fff00003fff) | (bytes & 0x0fffc0000fffc000) << 2;
  bytes = (bytes & 0x007f007f007f007f) | (bytes & 0x3f803f803f803f80) << 1;
  const size_t count = varint_bytes(value);
  const bool is_short = count <= 8;
  bytes |= is_short ? kMore & ((uint64_t{1} << (8 * (count - 1))) - 1) : kMore;
  if constexpr (std::endian::native == std::endian::big) {
    bytes = __builtin_bswap64(bytes);
  }
  std::memcpy(at, &bytes, sizeof bytes);
  if (!is_short) {
    at[8] = static_cast<char>(value >> 56 | (count == 10 ? 0x80 : 0));
    at[9] = 1;
  }
  return at + count;
}

class WireWriter {
 public:
  // What out holds already stays in front. bytes_hint: how much will probably be written.
  WireWriter(std::string& out, size_t bytes_max, size_t bytes_hint);

  // Room for n more bytes. False when the message would pass its bound; nothing more may be written then.
  bool reserve(size_t n) { return static_cast<size_t>(end_ - at_) >= n || grow(n); }

  // Each of these needs a reserve() that covers it.
  void byte(uint8_t value) { *at_++ = static_cast<char>(value); }
  void tag(const FieldPlan& field) {
    std::memcpy(at_, field.tag.data(), field.tag.size());
    at_ += field.tag_bytes;
  }
  void varint(uint64_t value) { at_ = write_varint_wide(at_, value); }
  void fixed32(uint32_t value) {
    std::memcpy(at_, &value, sizeof value);
    at_ += sizeof value;
  }
  void fixed64(uint64_t value) {
    std::memcpy(at_, &value, sizeof value);
    at_ += sizeof value;
  }
  void bytes(std::string_view value) {
    copy_bytes(at_, value.data(), value.size());
    at_ += value.size();
  }
  // For those who write on their own into reserved room.
  char* at() { return at_; }
  void set_at(char* at) { at_ = at; }

  // A length-delimited value: begin() gives the mark that its end() takes; it needs room for one byte.
  size_t begin() {
    prefixes_.push({static_cast<uint32_t>(position()), extra_});
    ++at_;
    return prefixes_.size() - 1;
  }
  void end(size_t mark);

  // Bytes written so far; a length counts as one byte.
  size_t position() const { return static_cast<size_t>(at_ - start_); }
  // A byte already written, by its position.
  const char* peek(size_t position) const { return start_ + position; }

  // restore() takes back everything written since save(), ended or not.
  struct Saved {
    size_t position;
    size_t prefixes;
    uint32_t extra;
  };
  Saved save() const { return {position(), prefixes_.size(), extra_}; }
  void restore(const Saved& saved);
  // Takes out [from, to), in which every value that began has ended. Marks stay good.
  void erase(size_t from, size_t to);

  // Puts the long lengths in and cuts out to its size. False when the message is over its bound.
  bool finish();
  bool is_over_bound() const { return is_over_bound_; }

 private:
  // While open: extra_ at its beginning; afterwards the length. Only open and long ones are kept, in order of position.
  struct Prefix {
    uint32_t position;
    uint32_t length;
  };

  bool grow(size_t n);

  std::string& out_;
  const size_t prior_bytes_;
  const size_t bytes_max_;
  char* start_;
  char* at_;
  char* end_;
  uint32_t extra_ = 0;  // bytes that the long lengths will add
  bool is_over_bound_ = false;
  InlineStack<Prefix, 64> prefixes_;
};

}  // namespace transom
