// Numbers of JSON text, read with nothing lost: the digits, the power of ten, and from them the exact integer or the
// nearest float or double of the decimal text (design decision 2). Pure; inline where a tensor's speed depends on it.
// Text that is scanned is followed by at least 8 readable bytes.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string_view>

namespace transom {

struct Number {
  const char* begin = nullptr;
  const char* end = nullptr;  // when it is not a number: the byte that is wrong
  uint64_t digits = 0;        // value = digits * 10^exponent, when is_exact
  int32_t exponent = 0;
  bool is_negative = false;
  bool is_exact = true;  // digits holds them all
  bool is_plain = true;  // neither fraction nor exponent

  std::string_view text() const { return {begin, static_cast<size_t>(end - begin)}; }
};

inline bool is_digit(char c) { return static_cast<uint8_t>(c - '0') <= 9; }

// How many digits stand at p, up to eight, and their value: three multiplications whatever the count, so that numbers
// of changing length cost no mispredicted branch.
struct Eight {
  unsigned count = 0;
  uint32_t value = 0;
};

inline Eight eight_digits(const char* p) {
  uint64_t word;
  std::memcpy(&word, p, sizeof word);
  if constexpr (std::endian::native == std::endian::big) {
    word = __builtin_bswap64(word);
  }
  word ^= 0x3030303030303030;
  uint64_t others = ((word & 0x7f7f7f7f7f7f7f7f) + 0x7676767676767676) | word;
  others &= 0x8080808080808080;
  Eight eight;
  eight.count = others == 0 ? 8 : static_cast<unsigned>(__builtin_ctzll(others)) / 8;
  // What follows the digits is shifted out, and zeros in front of them in. No digit at all: the value does not matter.
  word <<= (64 - 8 * eight.count) & 63;
  word = (word & 0x0f0f0f0f0f0f0f0f) * 2561 >> 8;
  word = (word & 0x00ff00ff00ff00ff) * 6553601 >> 16;
  eight.value = static_cast<uint32_t>((word & 0x0000ffff0000ffff) * 42949672960001 >> 32);
  return eight;
}

inline constexpr uint64_t kWholePowersOfTen[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};

// Appends the digits at p, which must be one; what no longer fits is lost.
inline const char* scan_digits(const char* p, uint64_t& digits) {
  Eight eight;
  do {
    eight = eight_digits(p);
    digits = digits * kWholePowersOfTen[eight.count] + (eight.count == 0 ? 0 : eight.value);
    p += eight.count;
  } while (eight.count == 8);
  return p;
}

// The part after the digits of the fraction; false when there is an 'e' without digits.
bool scan_exponent(const char* p, Number& number);
// For more than 19 digits: whether leading zeros explain them.
bool has_few_digits(const char* first, const char* last);

// Reads a number of the JSON grammar (RFC 8259 section 6) at p. What follows it is not looked at.
inline bool scan_number(const char* p, Number& number) {
  number.begin = p;
  number.is_negative = *p == '-';
  p += number.is_negative ? 1 : 0;
  const char* first = p;
  uint64_t digits = static_cast<uint8_t>(*p - '0');
  if (digits > 9) {
    number.end = p;
    return false;
  }
  ++p;
  if (is_digit(*p)) {
    if (digits == 0) {
      number.end = p;
      return false;
    }
    p = scan_digits(p, digits);
  }
  int64_t count = p - first;
  number.exponent = 0;
  number.is_plain = *p != '.';
  if (!number.is_plain) {
    const char* fraction = ++p;
    if (!is_digit(*p)) {
      number.end = p;
      return false;
    }
    p = scan_digits(p, digits);
    number.exponent = static_cast<int32_t>(fraction - p);
    count += p - fraction;
  }
  number.digits = digits;
  number.end = p;
  number.is_exact = count <= 19 || has_few_digits(first, p);
  return (*p | 0x20) != 'e' || scan_exponent(p, number);
}

inline constexpr double kPowersOfTen[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                          1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

// A product or quotient of two exact doubles is rounded once, so it is the nearest double (Clinger, 1990).
inline bool is_quick_double(const Number& number) {
  return number.is_exact && number.digits <= (uint64_t{1} << 53) && number.exponent >= -22 && number.exponent <= 22;
}

inline double quick_double(const Number& number) {
  double value = static_cast<double>(number.digits);
  value = number.exponent < 0 ? value / kPowersOfTen[-number.exponent] : value * kPowersOfTen[number.exponent];
  return std::bit_cast<double>(std::bit_cast<uint64_t>(value) ^ static_cast<uint64_t>(number.is_negative) << 63);
}

// The slow, always right way. False when the number is too large; one that is too small is 0.
bool nearest_double(const Number& number, double& value);
bool nearest_float(const Number& number, float& value);

inline bool to_double(const Number& number, double& value) {
  if (is_quick_double(number)) {
    value = quick_double(number);
    return true;
  }
  return nearest_double(number, value);
}

inline bool to_float(const Number& number, float& value) {
  if (!is_quick_double(number)) {
    return nearest_float(number, value);
  }
  double wide = quick_double(number);
  value = static_cast<float>(wide);
  // Rounding twice goes wrong only from a double half-way between two floats, and where floats have fewer bits.
  bool is_half_way = (std::bit_cast<uint64_t>(wide) & 0x1fffffff) == 0x10000000;
  bool is_normal =
      std::fabs(value) >= std::numeric_limits<float>::min() && std::fabs(value) <= std::numeric_limits<float>::max();
  if (is_half_way || (!is_normal && number.digits != 0)) [[unlikely]] {
    return nearest_float(number, value);
  }
  return true;
}

enum class Integral : uint8_t { Yes, HasFraction, TooLarge };

// Of any number.
Integral general_magnitude(const Number& number, uint64_t& magnitude);

// The magnitude as an integer, whatever way it is written: 100, 100.0 and 1e2 are the same.
inline Integral to_magnitude(const Number& number, uint64_t& magnitude) {
  if (number.is_plain && number.is_exact) [[likely]] {
    magnitude = number.digits;
    return Integral::Yes;
  }
  return general_magnitude(number, magnitude);
}

}  // namespace transom
