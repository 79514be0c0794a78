// DateText is the value of the Date field (RFC 9110 section 6.6.1), formatted once a second. One per worker.
#pragma once

#include <ctime>
#include <string_view>

namespace transom {

class DateText {
 public:
  // "Sun, 06 Nov 1994 08:49:37 GMT"; valid until the next call.
  std::string_view now() { return at(std::time(nullptr)); }
  std::string_view at(std::time_t when);

 private:
  std::time_t formatted_ = -1;
  char text_[32] = {};
};

}  // namespace transom
