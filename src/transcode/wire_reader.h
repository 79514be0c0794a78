// Reading protobuf's wire format: varints, tags, and how long a value of any wire type is. Malformed bytes are told by
// false; nothing reads past the end it was given. Free functions, pure, inline for the answer's hot path.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "schema/plan.h"

namespace transom {

enum class WireType : uint8_t { Varint = 0, Fixed64 = 1, Bytes = 2, GroupBegin = 3, GroupEnd = 4, Fixed32 = 5 };

// The wire type of one value of that kind, when it is not packed.
inline WireType wire_type_of(Kind kind) {
  static constexpr WireType kTypes[] = {
      WireType::Fixed64, WireType::Fixed32, WireType::Varint,     WireType::Varint,  WireType::Varint,
      WireType::Varint,  WireType::Varint,  WireType::Varint,     WireType::Fixed32, WireType::Fixed64,
      WireType::Fixed32, WireType::Fixed64, WireType::Varint,     WireType::Bytes,   WireType::Bytes,
      WireType::Varint,  WireType::Bytes,   WireType::GroupBegin,
  };
  return kTypes[static_cast<size_t>(kind)];
}

// Of at least two bytes, with ten readable ones: the seven bits of each are moved together, whatever their number.
inline bool read_long_varint(const char*& at, uint64_t& value) {
  uint64_t word;
  std::memcpy(&word, at, sizeof word);
  if constexpr (std::endian::native == std::endian::big) {
    word = __builtin_bswap64(word);
  }
  const uint64_t ends = ~word & 0x8080808080808080;
  const uint64_t own = word & (ends ^ (ends - 1));  // all of it when it goes on
  uint64_t bits = (own & 0x007f007f007f007f) | (own & 0x7f007f007f007f00) >> 1;
  bits = (bits & 0x00003fff00003fff) | (bits & 0x3fff00003fff0000) >> 2;
  value = (bits & 0x000000000fffffff) | (bits & 0x0fffffff00000000) >> 4;
  if (ends != 0) {
    at += __builtin_ctzll(ends) / 8 + 1;
    return true;
  }
  const auto ninth = static_cast<uint8_t>(at[8]);
  const auto tenth = static_cast<uint8_t>(at[9]);
  const bool has_tenth = ninth >= 0x80;
  value |= static_cast<uint64_t>(ninth & 0x7f) << 56 | (has_tenth ? static_cast<uint64_t>(tenth) << 63 : 0);
  at += has_tenth ? 10 : 9;
  return !has_tenth || tenth < 0x80;
}

// An int32's bits from a varint of at most five bytes or, as the negative are written, of ten; ten bytes are readable.
// Where lists mix both signs no branch depends on the length. False for any other length: read_varint() knows better.
inline bool read_int32_varint(const char*& at, uint32_t& bits) {
  constexpr uint64_t kFiveBytes = 0x8080808080;
  uint64_t word;
  uint64_t later;
  std::memcpy(&word, at, sizeof word);
  std::memcpy(&later, at + 2, sizeof later);
  if constexpr (std::endian::native == std::endian::big) {
    word = __builtin_bswap64(word);
    later = __builtin_bswap64(later);
  }
  const uint64_t ends = ~word & kFiveBytes;
  const uint64_t not_ten = (later & 0x8080808080808080) ^ 0x0080808080808080;
  if ((ends | static_cast<uint64_t>(not_ten == 0)) == 0) [[unlikely]] {
    return false;
  }
  const uint64_t own = word & (ends ^ (ends - 1));
  const uint64_t twos = (own & 0x7f007f007f) | (own & 0x7f007f00) >> 1;
  bits = static_cast<uint32_t>((twos & 0x3fff) | (twos >> 2 & 0xfffc000) | (twos >> 4 & 0x7f0000000));
  constexpr uint64_t kEighth = uint64_t{1} << 63;
  at += static_cast<unsigned>(__builtin_ctzll(ends | kEighth)) / 8 + (ends == 0 ? 3 : 1);
  return true;
}

inline bool read_varint(const char*& at, const char* end, uint64_t& value) {
  if (at < end && static_cast<int8_t>(*at) >= 0) [[likely]] {
    value = static_cast<uint8_t>(*at++);
    return true;
  }
  if (end - at >= 10) {
    return read_long_varint(at, value);
  }
  value = 0;
  for (unsigned shift = 0; shift < 70 && at < end; shift += 7) {
    auto byte = static_cast<uint8_t>(*at++);
    value |= static_cast<uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80) {
      return true;
    }
  }
  return false;
}

// Of bytes known to be a whole varint.
inline uint64_t read_valid_varint(const char*& at) {
  uint64_t value = 0;
  for (unsigned shift = 0;; shift += 7) {
    auto byte = static_cast<uint8_t>(*at++);
    value |= static_cast<uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80) {
      return value;
    }
  }
}

inline uint32_t read_fixed32(const char* at) {
  uint32_t value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

inline uint64_t read_fixed64(const char* at) {
  uint64_t value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

// Tags and lengths; protobuf's own code takes no longer ones either, though zeros could make them so.
constexpr ptrdiff_t kUint32BytesMax = 5;

struct WireTag {
  uint32_t number = 0;
  WireType type = WireType::Varint;
};

// False also for number 0, numbers that no field may have, the two wire types that do not exist, and more than the five
// bytes that a tag may have.
inline bool read_tag(const char*& at, const char* end, WireTag& tag) {
  const char* begin = at;
  uint64_t value = 0;
  if (!read_varint(at, end, value)) {
    return false;
  }
  tag.number = static_cast<uint32_t>(value >> 3);
  tag.type = static_cast<WireType>(value & 7);
  return tag.number != 0 && value <= 0xffffffff && (value & 7) <= 5 && at - begin <= kUint32BytesMax;
}

// Length and content of a Bytes value, at its length.
inline bool read_delimited(const char*& at, const char* end, std::string_view& content) {
  const char* begin = at;
  uint64_t bytes = 0;
  if (!read_varint(at, end, bytes) || bytes > static_cast<uint64_t>(end - at) || at - begin > kUint32BytesMax) {
    return false;
  }
  content = {at, static_cast<size_t>(bytes)};
  at += bytes;
  return true;
}

inline bool take_wire_bytes(const char*& at, const char* end, ptrdiff_t count) {
  if (end - at < count) {
    return false;
  }
  at += count;
  return true;
}

// Reads past the group whose begin tag was just read; groups nest at most that deep.
bool skip_wire_group(const char*& at, const char* end, uint32_t number, int depth_left);

// One value: a varint's or fixed value's bits, or the content of a Bytes value. A group is only passed over.
struct WireValue {
  WireType type = WireType::Varint;
  uint64_t bits = 0;
  std::string_view content;
};

// Reads a value, at its first byte after the tag.
inline bool read_wire_value(const char*& at, const char* end, WireTag tag, int depth_left, WireValue& value) {
  value.type = tag.type;
  switch (tag.type) {
    case WireType::Varint:
      return read_varint(at, end, value.bits);
    case WireType::Bytes:
      return read_delimited(at, end, value.content);
    case WireType::Fixed32:
      value.bits = end - at >= 4 ? read_fixed32(at) : 0;
      return take_wire_bytes(at, end, 4);
    case WireType::Fixed64:
      value.bits = end - at >= 8 ? read_fixed64(at) : 0;
      return take_wire_bytes(at, end, 8);
    case WireType::GroupBegin:
      return skip_wire_group(at, end, tag.number, depth_left);
    case WireType::GroupEnd:
      break;
  }
  return false;
}

inline bool skip_wire_value(const char*& at, const char* end, WireTag tag, int depth_left) {
  WireValue value;
  return read_wire_value(at, end, tag, depth_left, value);
}

}  // namespace transom
