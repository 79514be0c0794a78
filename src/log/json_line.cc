#include "log/json_line.h"

#include <array>
#include <charconv>

namespace transom {
namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";

bool is_plain(unsigned char c) { return c >= 0x20 && c < 0x7f && c != '"' && c != '\\'; }

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

void append_text(std::string_view text, std::string& out) {
  size_t at = 0;
  while (at < text.size()) {
    size_t plain_end = at;
    while (plain_end < text.size() && is_plain(static_cast<unsigned char>(text[plain_end])))
      ++plain_end;
    out.append(text, at, plain_end - at);
    at = plain_end;
    if (at == text.size()) return;
    const auto c = static_cast<unsigned char>(text[at]);
    if (c < 0x80) {
      append_escaped(c, out);
      ++at;
    } else if (const size_t length = utf8_length(text.substr(at)); length > 0) {
      out.append(text, at, length);
      at += length;
    } else {
      out += kReplacement;
      ++at;
    }
  }
}

void append_number(int64_t number, std::string& out) {
  std::array<char, 24> digits;
  out.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr);
}

void append_digits(int64_t number, int width, std::string& out) {
  std::array<char, 8> digits;
  for (int i = width - 1; i >= 0; --i) {
    digits[static_cast<size_t>(i)] = static_cast<char>('0' + number % 10);
    number /= 10;
  }
  out.append(digits.data(), static_cast<size_t>(width));
}

}  // namespace

void JsonLine::begin_member(std::string_view key) {
  if (!is_first_) out_ += ',';
  is_first_ = false;
  out_ += '"';
  out_ += key;
  out_ += "\":";
}

void JsonLine::add(std::string_view key, std::string_view value) {
  begin_member(key);
  out_ += '"';
  append_text(value, out_);
  out_ += '"';
}

void JsonLine::add(std::string_view key, int64_t value) {
  begin_member(key);
  append_number(value, out_);
}

void JsonLine::add(std::string_view key, std::chrono::nanoseconds value) {
  begin_member(key);
  const int64_t micros = value.count() > 0 ? value.count() / 1000 : 0;
  append_number(micros / 1000, out_);
  out_ += '.';
  append_digits(micros % 1000, 3, out_);
}

void JsonLine::add(std::string_view key, std::chrono::system_clock::time_point value) {
  using namespace std::chrono;
  begin_member(key);
  const auto day = floor<days>(value);
  const year_month_day date(day);
  const hh_mm_ss time(floor<microseconds>(value - day));
  out_ += '"';
  append_digits(static_cast<int>(date.year()), 4, out_);
  out_ += '-';
  append_digits(static_cast<unsigned>(date.month()), 2, out_);
  out_ += '-';
  append_digits(static_cast<unsigned>(date.day()), 2, out_);
  out_ += 'T';
  append_digits(time.hours().count(), 2, out_);
  out_ += ':';
  append_digits(time.minutes().count(), 2, out_);
  out_ += ':';
  append_digits(time.seconds().count(), 2, out_);
  out_ += '.';
  append_digits(time.subseconds().count(), 6, out_);
  out_ += "Z\"";
}

}  // namespace transom
