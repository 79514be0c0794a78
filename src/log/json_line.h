// JsonLine writes one object as one line of JSON, member by member, at the end of a string. Text that is not UTF-8 gets
// U+FFFD in its place, control characters are escaped, so that no value can break the line. Used on the stack; until
// end() the string's own end is undefined.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace transom {

class JsonLine {
 public:
  // Appends to out, which must outlive this.
  explicit JsonLine(std::string& out);

  // key: plain ASCII, written as it is.
  void add(std::string_view key, std::string_view value);
  void add(std::string_view key, int64_t value);
  // Milliseconds with three decimals.
  void add(std::string_view key, std::chrono::nanoseconds value);
  // RFC 3339 in UTC with microseconds.
  void add(std::string_view key, std::chrono::system_clock::time_point value);
  // Closes the object and ends the line.
  void end();

 private:
  // Room for n more bytes at at_.
  void reserve(size_t n);
  void put(char c) { *at_++ = c; }
  void put(std::string_view text);
  void put_key(std::string_view key, size_t value_bytes_max);
  void put_number(int64_t number);
  void put_digits(int64_t number, int width);
  bool put_plain(std::string_view text);
  void put_escaped(std::string_view text);

  std::string& out_;
  char* at_ = nullptr;   // behind what is written
  char* end_ = nullptr;  // of out_
};

}  // namespace transom
