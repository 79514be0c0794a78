#include "transcode/json_number.h"

#include <algorithm>
#include <charconv>
#include <system_error>

namespace transom {
namespace {

constexpr int64_t kExponentMax = 1'000'000;

// The exponent of the first digit that is not 0, as in d.ddd * 10^e.
int64_t leading_exponent(const Number& number) {
  int64_t before_point = 0;
  int64_t zeros_after_point = 0;
  bool is_after_point = false;
  bool has_begun = false;
  int64_t exponent = 0;
  for (const char* p = number.begin; p < number.end; ++p) {
    if (*p == '.') {
      is_after_point = true;
    } else if ((*p | 0x20) == 'e') {
      Number written;
      scan_exponent(p, written);
      exponent = written.exponent;
      break;
    } else if (is_digit(*p)) {
      has_begun = has_begun || *p != '0';
      before_point += has_begun && !is_after_point ? 1 : 0;
      zeros_after_point += !has_begun && is_after_point ? 1 : 0;
    }
  }
  return exponent + (before_point > 0 ? before_point - 1 : -zeros_after_point - 1);
}

template <class T>
bool nearest(const Number& number, T& value) {
  auto [end, error] = std::from_chars(number.begin, number.end, value);
  if (error == std::errc()) {
    return true;
  }
  // from_chars tells too small and too large alike.
  if (leading_exponent(number) > 0) {
    return false;
  }
  value = number.is_negative ? -T{0} : T{0};
  return true;
}

}  // namespace

bool scan_exponent(const char* p, Number& number) {
  number.is_plain = false;
  ++p;
  bool is_negative = *p == '-';
  p += *p == '-' || *p == '+' ? 1 : 0;
  number.end = p;
  if (!is_digit(*p)) {
    return false;
  }
  int64_t exponent = 0;
  for (; is_digit(*p); ++p) {
    exponent = std::min(exponent * 10 + (*p - '0'), kExponentMax);
  }
  number.exponent += static_cast<int32_t>(is_negative ? -exponent : exponent);
  number.end = p;
  return true;
}

bool has_few_digits(const char* first, const char* last) {
  while (first < last && (*first == '0' || *first == '.')) {
    ++first;
  }
  return std::count_if(first, last, is_digit) <= 19;
}

bool nearest_double(const Number& number, double& value) { return nearest(number, value); }
bool nearest_float(const Number& number, float& value) { return nearest(number, value); }

Integral general_magnitude(const Number& number, uint64_t& magnitude) {
  // Zeros are held back until a digit follows, so that neither 1.000000000000000000000 nor 1e2 is lost.
  uint64_t value = 0;
  bool is_too_large = false;
  int64_t zeros = 0;
  int64_t fraction_digits = 0;
  int64_t exponent = 0;
  bool is_after_point = false;
  for (const char* p = number.begin; p < number.end; ++p) {
    if ((*p | 0x20) == 'e') {
      Number written;
      scan_exponent(p, written);
      exponent = written.exponent;
      break;
    }
    is_after_point = is_after_point || *p == '.';
    if (!is_digit(*p)) {
      continue;
    }
    fraction_digits += is_after_point ? 1 : 0;
    ++zeros;
    if (*p != '0') {
      for (; zeros > 0 && !is_too_large; --zeros) {
        is_too_large = __builtin_mul_overflow(value, 10U, &value);
      }
      zeros = 0;
      is_too_large = is_too_large || __builtin_add_overflow(value, static_cast<unsigned>(*p - '0'), &value);
    }
  }
  magnitude = 0;
  int64_t power = zeros - fraction_digits + exponent;
  if (value == 0 && !is_too_large) {
    return Integral::Yes;
  }
  if (power < 0) {
    return Integral::HasFraction;
  }
  for (; power > 0 && !is_too_large; --power) {
    is_too_large = __builtin_mul_overflow(value, 10U, &value);
  }
  magnitude = value;
  return is_too_large ? Integral::TooLarge : Integral::Yes;
}

}  // namespace transom
