// Integers as decimal text, several digits at a time by multiplications, so that numbers of changing length and sign
// cost few mispredicted branches. Inline for the answer's hot path; pure.
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

inline constexpr uint32_t kEightDigits = 100'000'000;  // the first number with nine

// "00" to "99".
struct DigitPairs {
  char text[200];
  constexpr DigitPairs() : text() {
    for (int i = 0; i < 100; ++i) {
      text[2 * i] = static_cast<char>('0' + i / 10);
      text[2 * i + 1] = static_cast<char>('0' + i % 10);
    }
  }
};
inline constexpr DigitPairs kDigitPairs;

inline void copy_pair(char* to, uint64_t pair) { std::memcpy(to, kDigitPairs.text + 2 * pair, 2); }

// One or two digits.
inline char* write_short_pair(char* to, uint64_t value) {
  const unsigned is_short = value < 10 ? 1 : 0;
  std::memcpy(to, kDigitPairs.text + 2 * value + is_short, 2);
  return to + 2 - is_short;
}

// Nine or ten digits: the number is made a fixed-point one, with what is above 10^8 before the point, and each
// multiplication by 100 brings the next two digits there. 2^57 / 10^8, rounded up, is exact enough for 32 bits.
inline char* write_long_uint32(char* to, uint32_t value) {
  constexpr unsigned kPoint = 57;
  constexpr uint64_t kFraction = (uint64_t{1} << kPoint) - 1;
  constexpr uint64_t kScale = (uint64_t{1} << kPoint) / kEightDigits + 1;
  uint64_t fixed = value * kScale;
  to = write_short_pair(to, fixed >> kPoint);
  for (int i = 0; i < 4; ++i) {
    fixed = (fixed & kFraction) * 100;
    copy_pair(to + 2 * i, fixed >> kPoint);
  }
  return to + 8;
}

inline char* write_uint32(char* to, uint32_t value) {
  if (value < 100) {
    return write_short_pair(to, value);
  }
  if (value < 10'000) {
    to = write_short_pair(to, value / 100);
    copy_pair(to, value % 100);
    return to + 2;
  }
  return value < kEightDigits ? write_leading_digits(to, value) : write_long_uint32(to, value);
}

// The sign is no branch: lists of both signs would mispredict it.
inline char* write_int32(char* to, int32_t value) {
  *to = '-';
  const int32_t sign = value >> 31;  // 0 or -1
  const auto mask = static_cast<uint32_t>(sign);
  return write_uint32(to - sign, (static_cast<uint32_t>(value) ^ mask) - mask);
}

inline char* write_uint(char* to, uint64_t value) {
  if (value <= 0xffffffff) {
    return write_uint32(to, static_cast<uint32_t>(value));
  }
  uint64_t high = value / kEightDigits;
  if (high < kEightDigits) {
    to = write_leading_digits(to, static_cast<uint32_t>(high));
  } else {
    to = write_leading_digits(to, static_cast<uint32_t>(high / kEightDigits));
    store_eight_digits(to, eight_digits_of(static_cast<uint32_t>(high % kEightDigits)));
    to += 8;
  }
  store_eight_digits(to, eight_digits_of(static_cast<uint32_t>(value % kEightDigits)));
  return to + 8;
}

inline char* write_int(char* to, int64_t value) {
  *to = '-';
  const int64_t sign = value >> 63;
  const auto mask = static_cast<uint64_t>(sign);
  return write_uint(to - sign, (static_cast<uint64_t>(value) ^ mask) - mask);
}

}  // namespace transom
