#include "log/json_line.h"

#include <algorithm>
#include <charconv>
#include <cstring>

namespace transom {
namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";

constexpr size_t kNumberBytesMax = 24;
constexpr size_t kTimeBytesMax = 32;
constexpr size_t kUsualLineBytes = 1024;

bool is_plain(unsigned char c) { return c >= 0x20 && c < 0x7f && c != '"' && c != '\\'; }

// Whether some of eight bytes is not plain; a byte that equals c leaves its high bit in (x - ones) & ~x, x = word ^ c.
bool has_special(uint64_t word) {
  constexpr uint64_t kOnes = 0x0101010101010101;
  constexpr uint64_t kHighs = kOnes * 0x80;
  const auto holds = [&](unsigned char c) {
    const uint64_t x = word ^ kOnes * c;
    return (x - kOnes) & ~x;
  };
  const uint64_t below_space = (word - kOnes * 0x20) & ~word;
  return ((word | below_space | holds('"') | holds('\\') | holds(0x7f)) & kHighs) != 0;
}

bool is_plain(std::string_view text) {
  const char* at = text.data();
  const char* end = at + text.size();
  for (; end - at >= 8; at += 8) {
    uint64_t word;
    std::memcpy(&word, at, sizeof word);
    if (has_special(word)) return false;
  }
  while (at < end && is_plain(static_cast<unsigned char>(*at)))
    ++at;
  return at == end;
}

void append_escaped(unsigned char c, std::string& out) {
  static constexpr char kHex[] = "0123456789abcdef";
  switch (c) {
    case '"':
      out += "\\\"";
      return;
    case '\\':
      out += "\\\\";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      out += "\\u00";
      out += kHex[c >> 4];
      out += kHex[c & 15];
  }
}

// The length of the UTF-8 sequence that text begins with, 0 when it is none (RFC 3629 section 4).
size_t utf8_length(std::string_view text) {
  const auto byte = [&](size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const auto continues = [&](size_t i) { return (byte(i) & 0xc0) == 0x80; };
  const unsigned lead = byte(0);
  if (lead >= 0xc2 && lead <= 0xdf) return continues(1) ? 2 : 0;
  if (lead >= 0xe0 && lead <= 0xef) {
    const bool overlong = lead == 0xe0 && byte(1) < 0xa0;
    const bool surrogate = lead == 0xed && byte(1) > 0x9f;
    return continues(1) && continues(2) && !overlong && !surrogate ? 3 : 0;
  }
  if (lead >= 0xf0 && lead <= 0xf4) {
    const bool overlong = lead == 0xf0 && byte(1) < 0x90;
    const bool too_high = lead == 0xf4 && byte(1) > 0x8f;
    return continues(1) && continues(2) && continues(3) && !overlong && !too_high ? 4 : 0;
  }
  return 0;
}

}  // namespace

JsonLine::JsonLine(std::string& out) : out_(out) {
  at_ = end_ = out_.data() + out_.size();
  reserve(kUsualLineBytes);
  put('{');
}

void JsonLine::reserve(size_t n) {
  if (static_cast<size_t>(end_ - at_) >= n) return;
  const auto written = static_cast<size_t>(at_ - out_.data());
  out_.resize(written + n + kUsualLineBytes);
  at_ = out_.data() + written;
  end_ = out_.data() + out_.size();
}

void JsonLine::put(std::string_view text) {
  at_ = std::copy(text.begin(), text.end(), at_);
}

void JsonLine::put_key(std::string_view key, size_t value_bytes_max) {
  reserve(key.size() + 4 + value_bytes_max);
  if (at_[-1] != '{') put(',');
  put('"');
  put(key);
  put('"');
  put(':');
}

void JsonLine::put_number(int64_t number) { at_ = std::to_chars(at_, at_ + kNumberBytesMax, number).ptr; }

void JsonLine::put_digits(int64_t number, int width) {
  for (int i = width - 1; i >= 0; --i) {
    at_[i] = static_cast<char>('0' + number % 10);
    number /= 10;
  }
  at_ += width;
}

void JsonLine::put_escaped(std::string_view text) {
  std::string escaped;
  size_t at = 0;
  while (at < text.size()) {
    const auto c = static_cast<unsigned char>(text[at]);
    if (is_plain(c)) {
      escaped += text[at++];
    } else if (c < 0x80) {
      append_escaped(c, escaped);
      ++at;
    } else if (const size_t length = utf8_length(text.substr(at)); length > 0) {
      escaped.append(text, at, length);
      at += length;
    } else {
      escaped += kReplacement;
      ++at;
    }
  }
  reserve(escaped.size());
  put(escaped);
}

void JsonLine::add(std::string_view key, std::string_view value) {
  const bool fits = is_plain(value);
  put_key(key, (fits ? value.size() : 0) + 1);
  put('"');
  fits ? put(value) : put_escaped(value);
  reserve(1);
  put('"');
}

void JsonLine::add(std::string_view key, int64_t value) {
  put_key(key, kNumberBytesMax);
  put_number(value);
}

void JsonLine::add(std::string_view key, std::chrono::nanoseconds value) {
  put_key(key, kNumberBytesMax + 4);
  const int64_t micros = value.count() > 0 ? value.count() / 1000 : 0;
  put_number(micros / 1000);
  put('.');
  put_digits(micros % 1000, 3);
}

void JsonLine::add(std::string_view key, std::chrono::system_clock::time_point value) {
  using namespace std::chrono;
  put_key(key, kTimeBytesMax);
  const auto day = floor<days>(value);
  const year_month_day date(day);
  const hh_mm_ss time(floor<microseconds>(value - day));
  put('"');
  put_digits(static_cast<int>(date.year()), 4);
  put('-');
  put_digits(static_cast<unsigned>(date.month()), 2);
  put('-');
  put_digits(static_cast<unsigned>(date.day()), 2);
  put('T');
  put_digits(time.hours().count(), 2);
  put(':');
  put_digits(time.minutes().count(), 2);
  put(':');
  put_digits(time.seconds().count(), 2);
  put('.');
  put_digits(time.subseconds().count(), 6);
  put("Z\"");
}

void JsonLine::end() {
  reserve(2);
  put("}\n");
  out_.resize(static_cast<size_t>(at_ - out_.data()));
}

}  // namespace transom
