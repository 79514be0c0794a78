// JsonWriter appends JSON text to a string, bounded. Numbers and short strings are written straight into reserved room.
// A local variable of one transcoding; finish() cuts the string to what was written.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "transcode/small_bytes.h"

namespace transom {

class JsonWriter {
 public:
  // What out holds already stays in front.
  JsonWriter(std::string& out, size_t bytes_max, size_t bytes_hint);

  // Room for n more bytes; false when the text would pass its bound.
  bool reserve(size_t n) { return static_cast<size_t>(end_ - at_) >= n || grow(n); }
  bool is_over_bound() const { return is_over_bound_; }

  // These need a reserve() that covers them. kNumberBytesMax covers any number with its quotes and a comma.
  static constexpr size_t kNumberBytesMax = 40;
  void put(char c) { *at_++ = c; }
  void put(std::string_view text) {
    copy_bytes(at_, text.data(), text.size());
    at_ += text.size();
  }
  void put_int(int64_t value);
  void put_uint(uint64_t value);
  // The shortest text that reads back the same; NaN and the infinities as strings.
  void put_float(float value);
  void put_double(double value);
  char* at() { return at_; }
  void set_at(char* at) { at_ = at; }

  // These reserve by themselves; false over the bound.
  bool write(std::string_view text) {
    if (!reserve(text.size())) {
      return false;
    }
    put(text);
    return true;
  }
  // In quotes. Text that is known to be UTF-8.
  bool write_string(std::string_view text);
  // Likewise, with a character before and after: one reserve for a member's comma, name and colon; NUL is left out.
  bool write_name(char before, std::string_view name);
  // Escaped, without quotes.
  bool write_escaped(std::string_view text);
  bool write_base64(std::string_view bytes);

  size_t position() const { return static_cast<size_t>(at_ - start_); }
  void finish() { out_.resize(prior_bytes_ + position()); }

 private:
  bool grow(size_t n);

  std::string& out_;
  const size_t prior_bytes_;
  const size_t bytes_max_;
  char* start_;
  char* at_;
  char* end_;
  bool is_over_bound_ = false;
};

}  // namespace transom
