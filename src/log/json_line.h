// JsonLine writes one object as one line of JSON, member by member, at the end of a string. Text that is not UTF-8 gets
// U+FFFD in its place, control characters are escaped, so that no value can break the line. Used on the stack.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace transom {

class JsonLine {
 public:
  // Appends to out, which must outlive this.
  explicit JsonLine(std::string& out) : out_(out) { out_ += '{'; }

  // key: plain ASCII, written as it is.
  void add(std::string_view key, std::string_view value);
  void add(std::string_view key, int64_t value);
  // Milliseconds with three decimals.
  void add(std::string_view key, std::chrono::nanoseconds value);
  // RFC 3339 in UTC with microseconds.
  void add(std::string_view key, std::chrono::system_clock::time_point value);
  // Closes the object and ends the line.
  void end() { out_ += "}\n"; }

 private:
  std::string& out_;
  bool is_first_ = true;
};

}  // namespace transom
