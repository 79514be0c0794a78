#include "transcode/float_text.h"

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

namespace transom {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr int kPowerMin = -31;
constexpr int kPowerMax = 45;

// 10^power * 2^s, rounded up, for the s that makes it 64 bits wide.
constexpr uint64_t scaled_power_of_ten(int power) {
  Wide five = 1;
  for (int i = power < 0 ? -power : power; i > 0; --i) {
    five *= 5;
  }
  int bits = 0;
  for (Wide rest = five; rest != 0; rest >>= 1) {
    ++bits;
  }
  if (power >= 0) {
    if (bits <= 64) {
      return static_cast<uint64_t>(five) << (64 - bits);
    }
    uint64_t top = static_cast<uint64_t>(five >> (bits - 64));
    return top + ((five & ((Wide{1} << (bits - 64)) - 1)) != 0 ? 1 : 0);
  }
  // 2^(bits + 63) / five, one binary digit at a time; never a whole number.
  Wide rest = Wide{1} << (bits - 1);
  uint64_t quotient = 0;
  for (int i = 0; i < 64; ++i) {
    rest <<= 1;
    quotient <<= 1;
    if (rest >= five) {
      rest -= five;
      quotient |= 1;
    }
  }
  return quotient + 1;
}

constexpr std::array<uint64_t, kPowerMax - kPowerMin + 1> make_powers() {
  std::array<uint64_t, kPowerMax - kPowerMin + 1> powers{};
  for (int i = 0; i < static_cast<int>(powers.size()); ++i) {
    powers[static_cast<size_t>(i)] = scaled_power_of_ten(i + kPowerMin);
  }
  return powers;
}
constexpr auto kPowers = make_powers();

constexpr int floor_log2_of_power_of_ten(int power) { return power * 1'741'647 >> 19; }

// The upper 32 bits of the product; an odd last bit says that something was cut off.
uint32_t multiply_to_odd(uint64_t power, uint32_t factor) {
  uint64_t low = (power & 0xffffffff) * factor >> 32;
  uint64_t product = (power >> 32) * factor + low;
  return static_cast<uint32_t>(product >> 32) | ((product & 0xffffffff) > 1 ? 1 : 0);
}

struct Decimal {
  uint32_t digits;
  int exponent;
};

Decimal shortest(uint32_t fraction, int biased_exponent) {
  constexpr int kBias = 127 + 23;
  uint32_t significand = biased_exponent != 0 ? fraction | 0x800000 : fraction;
  int exponent = biased_exponent != 0 ? biased_exponent - kBias : 1 - kBias;
  if (exponent <= 0 && exponent > -24 && (significand & ((1U << -exponent) - 1)) == 0) {
    return {significand >> -exponent, 0};
  }
  // A whole number of 32 bits is written as it is, though fewer digits would do.
  if (exponent > 0 && exponent <= 8) {
    return {significand << exponent, 0};
  }
  // What lies between the neighbours' midpoints reads back as the value; the midpoints too, when it is even.
  uint32_t is_odd = significand & 1;
  bool is_lower_closer = fraction == 0 && biased_exponent > 1;
  int power = (exponent * 1'262'611 - (is_lower_closer ? 524'031 : 0)) >> 22;
  int shift = exponent + floor_log2_of_power_of_ten(-power) + 1;
  uint64_t scale = kPowers[static_cast<size_t>(-power - kPowerMin)];
  uint32_t lower = multiply_to_odd(scale, (4 * significand - 2 + (is_lower_closer ? 1 : 0)) << shift) + is_odd;
  uint32_t middle = multiply_to_odd(scale, 4 * significand << shift);
  uint32_t upper = multiply_to_odd(scale, (4 * significand + 2) << shift) - is_odd;
  uint32_t digits = middle / 4;
  if (digits >= 10) {
    uint32_t tens = digits / 10;
    bool is_down_inside = lower <= 40 * tens;
    bool is_up_inside = 40 * tens + 40 <= upper;
    if (is_down_inside != is_up_inside) {
      return {tens + (is_up_inside ? 1 : 0), power + 1};
    }
  }
  bool is_down_inside = lower <= 4 * digits;
  bool is_up_inside = 4 * digits + 4 <= upper;
  if (is_down_inside != is_up_inside) {
    return {digits + (is_up_inside ? 1 : 0), power};
  }
  uint32_t half = 4 * digits + 2;
  bool rounds_up = middle > half || (middle == half && (digits & 1) != 0);
  return {digits + (rounds_up ? 1 : 0), power};
}

int count_digits(uint32_t value) {
  static constexpr uint32_t kPowersOfTen[] = {0,       10,        100,        1'000,       10'000,
                                              100'000, 1'000'000, 10'000'000, 100'000'000, 1'000'000'000};
  int guess = static_cast<int>(std::bit_width(value | 1)) * 1233 >> 12;
  return guess + (value >= kPowersOfTen[guess] ? 1 : 0);
}

constexpr std::array<char, 200> make_pairs() {
  std::array<char, 200> pairs{};
  for (size_t i = 0; i < 100; ++i) {
    pairs[2 * i] = static_cast<char>('0' + i / 10);
    pairs[2 * i + 1] = static_cast<char>('0' + i % 10);
  }
  return pairs;
}
constexpr auto kPairs = make_pairs();

// Writes exactly count digits.
void put_digits(char* to, uint32_t value, int count) {
  char* at = to + count;
  for (; count >= 2; count -= 2) {
    at -= 2;
    std::memcpy(at, &kPairs[2 * (value % 100)], 2);
    value /= 100;
  }
  if (count == 1) {
    *to = static_cast<char>('0' + value);
  }
}

char* put_scientific(char* to, uint32_t digits, int count, int exponent) {
  put_digits(to + 1, digits, count);
  to[0] = to[1];
  to[1] = '.';
  to += count == 1 ? 1 : count + 1;
  *to++ = 'e';
  *to++ = exponent < 0 ? '-' : '+';
  put_digits(to, static_cast<uint32_t>(exponent < 0 ? -exponent : exponent), 2);
  return to + 2;
}

}  // namespace

char* write_float(char* to, float value) {
  auto bits = std::bit_cast<uint32_t>(value);
  *to = '-';
  to += bits >> 31;
  Decimal decimal = shortest(bits & 0x7fffff, static_cast<int>(bits >> 23 & 0xff));
  if (decimal.exponent < 0) {
    while (decimal.digits % 10 == 0) {
      decimal.digits /= 10;
      ++decimal.exponent;
    }
  }
  int count = count_digits(decimal.digits);
  int exponent = decimal.exponent + count - 1;
  if (exponent < -5 || exponent >= 16) {
    while (decimal.digits % 10 == 0) {
      decimal.digits /= 10;
      --count;
    }
    return put_scientific(to, decimal.digits, count, exponent);
  }
  if (exponent < 0) {
    std::memcpy(to, "0.000000", 8);
    put_digits(to + 1 - exponent, decimal.digits, count);
    return to + 1 - exponent + count;
  }
  if (decimal.exponent >= 0) {
    put_digits(to, decimal.digits, count);
    std::memset(to + count, '0', static_cast<size_t>(decimal.exponent));
    return to + count + decimal.exponent;
  }
  put_digits(to + 1, decimal.digits, count);
  std::memmove(to, to + 1, static_cast<size_t>(exponent) + 1);
  to[exponent + 1] = '.';
  return to + count + 1;
}

}  // namespace transom
