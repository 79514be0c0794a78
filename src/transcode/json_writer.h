// JsonWriter appends JSON text to a string, bounded. Numbers and short strings are written straight into reserved room.
// A local variable of one transcoding; finish() cuts the string to what was written.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "transcode/integer_text.h"
#include "transcode/json_text.h"
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
  static_assert(kNumberBytesMax >= kIntegerTextRoom + 3);
  void put(char c) { *at_++ = c; }
  void put(std::string_view text) {
    copy_bytes(at_, text.data(), text.size());
    at_ += text.size();
  }
  void put_int(int64_t value) { at_ = write_int(at_, value); }
  void put_uint(uint64_t value) { at_ = write_uint(at_, value); }
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
  bool write_string(std::string_view text) {
    if (text_traits(text).has_special) [[unlikely]] {
      return write_special_string(text);
    }
    if (!reserve(text.size() + kSlackBytes)) {
      return false;
    }
    put_plain_string(text);
    return true;
  }
  // Likewise, with a comma before and a colon after it.
  bool write_name(bool has_comma, std::string_view name) {
    if (!reserve(name.size() + kSlackBytes)) {
      return false;
    }
    *at_ = ',';
    at_ += has_comma ? 1 : 0;
    if (text_traits(name).has_special) [[unlikely]] {
      return write_special_string(name) && write(":");
    }
    put_plain_string(name);
    put(':');
    return true;
  }
  // Quotes and what has no need of escapes; needs a reserve() that covers it.
  void put_plain_string(std::string_view text) {
    put('"');
    put(text);
    put('"');
  }
  // A member whose name and value have no need of escapes.
  bool write_plain_member(bool has_comma, std::string_view name, std::string_view text) {
    if (!reserve(name.size() + text.size() + kSlackBytes)) {
      return false;
    }
    char* at = at_;
    *at = ',';
    at += has_comma ? 1 : 0;
    *at++ = '"';
    copy_bytes(at, name.data(), name.size());
    at += name.size();
    std::memcpy(at, "\":\"", 3);
    at += 3;
    copy_bytes(at, text.data(), text.size());
    at += text.size();
    *at++ = '"';
    at_ = at;
    return true;
  }
  // Escaped, without quotes.
  bool write_escaped(std::string_view text);
  bool write_base64(std::string_view bytes);

  size_t position() const { return static_cast<size_t>(at_ - start_); }
  void finish() { out_.resize(prior_bytes_ + position()); }

 private:
  static constexpr size_t kSlackBytes = 64;

  bool grow(size_t n);
  bool write_special_string(std::string_view text);

  std::string& out_;
  const size_t prior_bytes_;
  const size_t bytes_max_;
  char* start_;
  char* at_;
  char* end_;
  bool is_over_bound_ = false;
};

}  // namespace transom
