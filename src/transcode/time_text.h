// The text forms of google.protobuf.Timestamp (RFC 3339) and Duration, both ways, within the limits that protobuf sets:
// years 0001 to 9999, and about 10 000 years either way. Free functions, pure.
#pragma once

#include <cstdint>
#include <string_view>

namespace transom {

struct Moment {
  int64_t seconds = 0;
  int32_t nanos = 0;
};

// "2020-01-01T00:00:00.5+01:00"; any number of fraction digits up to nine.
bool parse_timestamp(std::string_view text, Moment& moment);
// "-1.5s"; seconds and nanos get the same sign.
bool parse_duration(std::string_view text, Moment& duration);

// Room for either form.
inline constexpr size_t kTimeTextBytesMax = 48;
// Always Z, with 0, 3, 6 or 9 digits of a second. Returns the end, or nullptr when the value is out of its limits.
char* format_timestamp(Moment moment, char* to);
char* format_duration(Moment duration, char* to);

}  // namespace transom
