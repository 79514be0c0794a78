// JsonWriter appends JSON text to a string, bounded. Numbers and short strings are written straight into reserved room.
// A local variable of one transcoding; finish() cuts the string to what was written.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "base/small_bytes.h"
#include "transcode/integer_text.h"
#include "transcode/json_text.h"

namespace transom {

// The shortest text that reads back the same; NaN and the infinities as strings. to has room for kNumberBytesMax.
char* write_json_float(char* to, float value);
char* write_json_double(char* to, double value);

class JsonWriter {
 public:
  // What out holds already stays in front.
  JsonWriter(std::string& out, size_t bytes_max, size_t bytes_hint);

  // Room for n more bytes; false when the text is past its bound, or would be far past it. The bound itself is looked at
  // once all is written.
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
  void put_float(float value) { at_ = write_json_float(at_, value); }
  void put_double(double value) { at_ = write_json_double(at_, value); }
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
  // Likewise, with a comma before and a colon after it, of what has no need of escapes: names of fields never have.
  bool write_plain_name(bool has_comma, std::string_view name) {
    if (!reserve(name.size() + kSlackBytes)) {
      return false;
    }
    char* at = at_;
    *at = ',';
    at += has_comma ? 1 : 0;
    *at++ = '"';
    copy_bytes(at, name.data(), name.size());
    at += name.size();
    std::memcpy(at, "\":", 2);
    at_ = at + 2;
    return true;
  }
  // Quotes and what has no need of escapes; needs a reserve() that covers it.
  void put_plain_string(std::string_view text) {
    put('"');
    put(text);
    put('"');
  }
  // A string of at most 16 bytes in quotes, if it is ASCII and needs no escapes: with one load and one store. False,
  // and nothing is written, for any other and where fewer than 16 bytes lie between the text's begin and
  // readable_end. Needs a reserve() of kShortStringBytes.
  static constexpr size_t kShortStringBytes = 20;
  bool put_short_string([[maybe_unused]] std::string_view text, [[maybe_unused]] const char* readable_end) {
#if defined(__SSE2__)
    if (text.size() > 16 || readable_end - text.data() < 16) {
      return false;
    }
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text.data()));
    const unsigned own = (1U << text.size()) - 1;
    if (((json_special_mask(bytes) | static_cast<unsigned>(_mm_movemask_epi8(bytes))) & own) != 0) {
      return false;
    }
    *at_ = '"';
    _mm_storeu_si128(reinterpret_cast<__m128i*>(at_ + 1), bytes);
    at_ += text.size() + 2;
    at_[-1] = '"';
    return true;
#else
    return false;
#endif
  }
  // Escaped, without quotes.
  bool write_escaped(std::string_view text);
  bool write_base64(std::string_view bytes);

  size_t position() const { return static_cast<size_t>(at_ - start_); }
  void finish() { out_.resize(prior_bytes_ + position()); }

 private:
  static constexpr size_t kSlackBytes = 64;
  static constexpr size_t kOvershootBytes = 4096;

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
