// Doubles that people write, 0.25 or 1500, as text without the search for shortest digits: up to six decimals below
// 100000. What else there is takes std::to_chars, whose text this is too. Pure, inline for the answer's hot path.
#pragma once

#include <cmath>
#include <cstdint>

#include "transcode/integer_text.h"

namespace transom {

// The end of what was written, or nullptr for a value that is not so short. to has room for kIntegerTextRoom.
// A decimal of fewer than 16 digits that reads back as the value is the only such: dividing rounds correctly, so that
// the quotient is what the decimal reads as. Within these bounds to_chars never takes an exponent.
inline char* write_short_double(char* to, double value) {
  constexpr double kMillion = 1e6;
  const double magnitude = std::fabs(value);
  if (!(magnitude >= 0.001 && magnitude < 100'000)) {
    return nullptr;
  }
  const auto millionths = static_cast<uint64_t>(magnitude * kMillion + 0.5);
  if (static_cast<double>(millionths) / kMillion != magnitude) {
    return nullptr;
  }
  *to = '-';
  to += value < 0 ? 1 : 0;
  to = write_uint32(to, static_cast<uint32_t>(millionths / 1'000'000));
  uint64_t fraction = eight_digits_of(static_cast<uint32_t>(millionths % 1'000'000) * 100);
  if (fraction == 0) {
    return to;
  }
  *to++ = '.';
  store_eight_digits(to, fraction);
  return to + (8 - static_cast<unsigned>(__builtin_clzll(fraction)) / 8);
}

}  // namespace transom
