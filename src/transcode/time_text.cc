#include "transcode/time_text.h"

#include <charconv>

#include "transcode/json_number.h"

namespace transom {
namespace {

constexpr int64_t kSecondsPerDay = 86'400;
constexpr int64_t kTimestampMin = -62'135'596'800;  // 0001-01-01T00:00:00Z
constexpr int64_t kTimestampMax = 253'402'300'799;  // 9999-12-31T23:59:59Z
constexpr int64_t kDurationMax = 315'576'000'000;
constexpr int32_t kNanosMax = 999'999'999;

// Takes exactly that many digits.
bool take_digits(std::string_view& text, size_t count, int& value) {
  if (text.size() < count) {
    return false;
  }
  value = 0;
  for (size_t i = 0; i < count; ++i) {
    if (!is_digit(text[i])) {
      return false;
    }
    value = value * 10 + (text[i] - '0');
  }
  text.remove_prefix(count);
  return true;
}

bool take(std::string_view& text, char c) {
  if (text.empty() || text.front() != c) {
    return false;
  }
  text.remove_prefix(1);
  return true;
}

// The digits after the point, one to nine of them.
bool take_fraction(std::string_view& text, int32_t& nanos) {
  size_t count = 0;
  nanos = 0;
  for (; count < text.size() && is_digit(text[count]); ++count) {
    if (count == 9) {
      return false;
    }
    nanos = nanos * 10 + (text[count] - '0');
  }
  text.remove_prefix(count);
  for (size_t i = count; i < 9; ++i) {
    nanos *= 10;
  }
  return count > 0;
}

bool is_leap_year(int year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

int days_in_month(int year, int month) {
  static constexpr int kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return kDays[month - 1] + (month == 2 && is_leap_year(year) ? 1 : 0);
}

// The year begins in March here, so that a leap day is its last.
int64_t days_since_1970(int year, int month, int day) {
  int64_t y = month <= 2 ? year - 1 : year;
  int64_t day_of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
  return y * 365 + y / 4 - y / 100 + y / 400 + day_of_year - 719'468;
}

bool take_date_and_time(std::string_view& text, int64_t& seconds) {
  int year = 0;
  int month = 0;
  int day = 0;
  int hour = 0;
  int minute = 0;
  int second = 0;
  if (!take_digits(text, 4, year) || !take(text, '-') || !take_digits(text, 2, month) || !take(text, '-') ||
      !take_digits(text, 2, day) || !take(text, 'T') || !take_digits(text, 2, hour) || !take(text, ':') ||
      !take_digits(text, 2, minute) || !take(text, ':') || !take_digits(text, 2, second)) {
    return false;
  }
  if (year < 1 || month < 1 || month > 12 || day < 1 || day > days_in_month(year, month) || hour > 23 || minute > 59 ||
      second > 59) {
    return false;
  }
  seconds = days_since_1970(year, month, day) * kSecondsPerDay + hour * 3600 + minute * 60 + second;
  return true;
}

bool take_offset(std::string_view& text, int64_t& seconds) {
  seconds = 0;
  if (take(text, 'Z')) {
    return true;
  }
  bool is_ahead = take(text, '+');
  int hours = 0;
  int minutes = 0;
  if ((!is_ahead && !take(text, '-')) || !take_digits(text, 2, hours) || !take(text, ':') ||
      !take_digits(text, 2, minutes) || hours > 23 || minutes > 59) {
    return false;
  }
  seconds = (hours * 3600 + minutes * 60) * (is_ahead ? 1 : -1);
  return true;
}

char* put_digits(char* to, int64_t value, int count) {
  for (int i = count - 1; i >= 0; --i) {
    to[i] = static_cast<char>('0' + value % 10);
    value /= 10;
  }
  return to + count;
}

// Nothing, or a point and 3, 6 or 9 digits.
char* put_fraction(char* to, int32_t nanos) {
  if (nanos == 0) {
    return to;
  }
  *to++ = '.';
  if (nanos % 1'000'000 == 0) {
    return put_digits(to, nanos / 1'000'000, 3);
  }
  return nanos % 1'000 == 0 ? put_digits(to, nanos / 1'000, 6) : put_digits(to, nanos, 9);
}

}  // namespace

bool parse_timestamp(std::string_view text, Moment& moment) {
  int64_t offset = 0;
  moment.nanos = 0;
  if (!take_date_and_time(text, moment.seconds) || (take(text, '.') && !take_fraction(text, moment.nanos)) ||
      !take_offset(text, offset) || !text.empty()) {
    return false;
  }
  moment.seconds -= offset;
  return moment.seconds >= kTimestampMin && moment.seconds <= kTimestampMax;
}

bool parse_duration(std::string_view text, Moment& duration) {
  bool is_negative = take(text, '-');
  const char* digits_end = text.data();
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), duration.seconds);
  digits_end = end;
  if (error != std::errc() || text.empty() || !is_digit(text.front())) {
    return false;
  }
  text.remove_prefix(static_cast<size_t>(digits_end - text.data()));
  duration.nanos = 0;
  // duration.proto bounds seconds and nanos each on its own: the last second has a fraction too.
  if ((take(text, '.') && !take_fraction(text, duration.nanos)) || text != "s" || duration.seconds > kDurationMax) {
    return false;
  }
  if (is_negative) {
    duration = {-duration.seconds, -duration.nanos};
  }
  return true;
}

char* format_timestamp(Moment moment, char* to) {
  if (moment.seconds < kTimestampMin || moment.seconds > kTimestampMax || moment.nanos < 0 ||
      moment.nanos > kNanosMax) {
    return nullptr;
  }
  // Counted from 0000-03-01, eras of 400 years (146 097 days) are alike.
  int64_t since_epoch = moment.seconds - kTimestampMin;
  int64_t second_of_day = since_epoch % kSecondsPerDay;
  int64_t day = since_epoch / kSecondsPerDay + 306;
  int64_t era = day / 146'097;
  int64_t day_of_era = day % 146'097;
  int64_t year_of_era = (day_of_era - day_of_era / 1'460 + day_of_era / 36'524 - day_of_era / 146'096) / 365;
  int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  int64_t month_from_march = (5 * day_of_year + 2) / 153;
  int64_t month = month_from_march < 10 ? month_from_march + 3 : month_from_march - 9;
  int64_t year = era * 400 + year_of_era + (month <= 2 ? 1 : 0);

  to = put_digits(to, year, 4);
  *to++ = '-';
  to = put_digits(to, month, 2);
  *to++ = '-';
  to = put_digits(to, day_of_year - (153 * month_from_march + 2) / 5 + 1, 2);
  *to++ = 'T';
  to = put_digits(to, second_of_day / 3600, 2);
  *to++ = ':';
  to = put_digits(to, second_of_day / 60 % 60, 2);
  *to++ = ':';
  to = put_digits(to, second_of_day % 60, 2);
  to = put_fraction(to, moment.nanos);
  *to++ = 'Z';
  return to;
}

char* format_duration(Moment duration, char* to) {
  bool is_negative = duration.seconds < 0 || duration.nanos < 0;
  if ((is_negative && (duration.seconds > 0 || duration.nanos > 0)) || duration.seconds > kDurationMax ||
      duration.seconds < -kDurationMax || duration.nanos > kNanosMax || duration.nanos < -kNanosMax) {
    return nullptr;
  }
  if (is_negative) {
    *to++ = '-';
    duration = {-duration.seconds, -duration.nanos};
  }
  to = std::to_chars(to, to + 20, duration.seconds).ptr;
  to = put_fraction(to, duration.nanos);
  *to++ = 's';
  return to;
}

}  // namespace transom
