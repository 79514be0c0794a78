#include "transcode/json_writer.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/base64.h"
#include "transcode/float_text.h"
#include "transcode/json_text.h"

namespace transom {
namespace {

// A character that needs an escape becomes at most "\u001f".
constexpr size_t kEscapeBytesMax = 6;

char* put_escape(char* to, char c) {
  static constexpr char kHex[] = "0123456789abcdef";
  *to++ = '\\';
  switch (c) {
    case '"':
    case '\\':
      *to++ = c;
      return to;
    case '\b':
      *to++ = 'b';
      return to;
    case '\f':
      *to++ = 'f';
      return to;
    case '\n':
      *to++ = 'n';
      return to;
    case '\r':
      *to++ = 'r';
      return to;
    case '\t':
      *to++ = 't';
      return to;
    default:
      std::memcpy(to, "u00", 3);
      to[3] = kHex[static_cast<uint8_t>(c) >> 4];
      to[4] = kHex[c & 15];
      return to + 5;
  }
}

// How many bytes of text can stand as they are.
size_t plain_bytes(std::string_view text) {
  size_t at = 0;
#if defined(__SSE2__)
  for (; at + 16 <= text.size(); at += 16) {
    unsigned mask = json_special_mask(_mm_loadu_si128(reinterpret_cast<const __m128i*>(text.data() + at)));
    if (mask != 0) {
      return at + static_cast<size_t>(__builtin_ctz(mask));
    }
  }
#endif
  while (at < text.size() && !is_json_special(text[at])) {
    ++at;
  }
  return at;
}

char* put_finite(char* to, float value) { return write_float(to, value); }
char* put_finite(char* to, double value) { return std::to_chars(to, to + JsonWriter::kNumberBytesMax, value).ptr; }

template <class T>
char* put_shortest(char* to, T value) {
  if (std::isfinite(value) && value != 0) [[likely]] {
    return put_finite(to, value);
  }
  // "-0" would be an integer to many parsers, which have no negative zero.
  std::string_view text = value == 0          ? (std::signbit(value) ? "-0.0" : "0")
                          : std::isnan(value) ? "\"NaN\""
                          : value > 0         ? "\"Infinity\""
                                              : "\"-Infinity\"";
  std::memcpy(to, text.data(), text.size());
  return to + text.size();
}

}  // namespace

char* write_json_float(char* to, float value) { return put_shortest(to, value); }
char* write_json_double(char* to, double value) { return put_shortest(to, value); }

JsonWriter::JsonWriter(std::string& out, size_t bytes_max, size_t bytes_hint)
    : out_(out), prior_bytes_(out.size()), bytes_max_(bytes_max) {
  out_.resize(prior_bytes_ + std::min(bytes_hint, bytes_max_) + kSlackBytes);
  start_ = out_.data() + prior_bytes_;
  at_ = start_;
  end_ = out_.data() + out_.size();
}

bool JsonWriter::grow(size_t n) {
  size_t written = position();
  const bool is_far_over = n > kOvershootBytes && n - kOvershootBytes > bytes_max_;
  if (is_over_bound_ || written > bytes_max_ || is_far_over) {
    is_over_bound_ = true;
    return false;
  }
  size_t capacity = std::max(written + n, std::min(2 * written, bytes_max_)) + kSlackBytes;
  out_.resize(prior_bytes_ + capacity);
  start_ = out_.data() + prior_bytes_;
  at_ = start_ + written;
  end_ = out_.data() + out_.size();
  return true;
}

bool JsonWriter::write_escaped(std::string_view text) {
  for (;;) {
    size_t plain = plain_bytes(text);
    if (!reserve(plain + kEscapeBytesMax)) {
      return false;
    }
    put(text.substr(0, plain));
    if (plain == text.size()) {
      return true;
    }
    at_ = put_escape(at_, text[plain]);
    text.remove_prefix(plain + 1);
  }
}

bool JsonWriter::write_special_string(std::string_view text) {
  if (!write("\"") || !write_escaped(text)) {
    return false;
  }
  return write("\"");
}

bool JsonWriter::write_base64(std::string_view bytes) {
  if (!reserve(encoded_base64_bytes(bytes.size(), true) + 2)) {
    return false;
  }
  put('"');
  at_ = encode_base64_to(bytes, true, at_);
  put('"');
  return true;
}

}  // namespace transom
