#include "http/date_text.h"

#include <cstdio>

namespace transom {
namespace {

constexpr const char* kDays[] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
constexpr const char* kMonths[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
constexpr size_t kDateBytes = 29;

}  // namespace

std::string_view DateText::at(std::time_t when) {
  if (when != formatted_) {
    std::tm parts{};
    gmtime_r(&when, &parts);
    // Not strftime: the names must be English whatever the locale.
    std::snprintf(text_, sizeof(text_), "%s, %02u %s %04u %02u:%02u:%02u GMT", kDays[parts.tm_wday],
                  static_cast<unsigned>(parts.tm_mday) % 100, kMonths[parts.tm_mon],
                  static_cast<unsigned>(parts.tm_year + 1900) % 10000, static_cast<unsigned>(parts.tm_hour) % 100,
                  static_cast<unsigned>(parts.tm_min) % 100, static_cast<unsigned>(parts.tm_sec) % 100);
    formatted_ = when;
  }
  return {text_, kDateBytes};
}

}  // namespace transom
