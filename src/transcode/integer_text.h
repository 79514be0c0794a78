// Integers as decimal text, eight digits at a time by multiplications, so that numbers of changing length cost no
// mispredicted branch. Inline for the answer's hot path; pure.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

namespace transom {

// What write_uint() and write_int() may write into: up to a sign and 20 digits count.
inline constexpr size_t kIntegerTextRoom = 32;

// The digits of a number below 10^8, the first in the lowest byte. Each step halves the numbers' width.
inline uint64_t eight_digits_of(uint32_t value) {
  const uint64_t fours = value / 10'000 | static_cast<uint64_t>(value % 10'000) << 32;
  const uint64_t hundreds = (fours * 10'486 >> 20) & 0x0000007f0000007f;
  const uint64_t twos = hundreds | (fours - hundreds * 100) << 16;
  const uint64_t tens = (twos * 103 >> 10) & 0x000f000f000f000f;
  return tens | (twos - tens * 10) << 8;
}

inline void store_eight_digits(char* to, uint64_t digits) {
  digits |= 0x3030303030303030;
  if constexpr (std::endian::native == std::endian::big) {
    digits = __builtin_bswap64(digits);
  }
  std::memcpy(to, &digits, sizeof digits);
}

// Without leading zeros, but 0 itself has one digit.
inline char* write_leading_digits(char* to, uint32_t value) {
  const uint64_t digits = eight_digits_of(value);
  const unsigned zeros = static_cast<unsigned>(__builtin_ctzll(digits | uint64_t{1} << 56)) / 8;
  store_eight_digits(to, digits >> zeros * 8);
  return to + (8 - zeros);
}

inline char* write_uint(char* to, uint64_t value) {
  constexpr uint32_t kEight = 100'000'000;
  if (value < 10) {
    *to = static_cast<char>('0' + value);
    return to + 1;
  }
  if (value < kEight) {
    return write_leading_digits(to, static_cast<uint32_t>(value));
  }
  uint64_t high = value / kEight;
  if (high < kEight) {
    to = write_leading_digits(to, static_cast<uint32_t>(high));
  } else {
    to = write_leading_digits(to, static_cast<uint32_t>(high / kEight));
    store_eight_digits(to, eight_digits_of(static_cast<uint32_t>(high % kEight)));
    to += 8;
  }
  store_eight_digits(to, eight_digits_of(static_cast<uint32_t>(value % kEight)));
  return to + 8;
}

inline char* write_int(char* to, int64_t value) {
  const bool is_negative = value < 0;
  *to = '-';
  const uint64_t bits = static_cast<uint64_t>(value);
  return write_uint(to + (is_negative ? 1 : 0), is_negative ? 0 - bits : bits);
}

}  // namespace transom
