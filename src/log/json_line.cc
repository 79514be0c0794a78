#include "log/json_line.h"

#include <algorithm>
#include <array>
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

// The date and the time to the second, "2026-01-31T23:59:59". Lines come by the thousand in each second.
class SecondText {
 public:
  std::string_view of(std::chrono::sys_seconds second) {
    if (second != second_) {
      second_ = second;
      write();
    }
    return {text_.data(), text_.size()};
  }

 private:
  void write() {
    using namespace std::chrono;
    const auto day = floor<days>(second_);
    const year_month_day date(day);
    const hh_mm_ss time(second_ - day);
    char* at = text_.data();
    at = put(at, static_cast<int>(date.year()), 4, '-');
    at = put(at, static_cast<unsigned>(date.month()), 2, '-');
    at = put(at, static_cast<unsigned>(date.day()), 2, 'T');
    at = put(at, time.hours().count(), 2, ':');
    at = put(at, time.minutes().count(), 2, ':');
    put(at, time.seconds().count(), 2, '\0');
  }
  static char* put(char* at, int64_t number, int width, char behind) {
    for (int i = width - 1; i >= 0; --i) {
      at[i] = static_cast<char>('0' + number % 10);
      number /= 10;
    }
    at += width;
    if (behind != '\0') *at++ = behind;
    return at;
  }

  std::chrono::sys_seconds second_ = std::chrono::sys_seconds::min();
  std::array<char, 19> text_{};
};

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

// Copies as it looks; false, and nothing written, when some character must be escaped.
bool JsonLine::put_plain(std::string_view text) {
  char* to = at_;
  const char* from = text.data();
  size_t left = text.size();
  for (; left >= 8; left -= 8, from += 8, to += 8) {
    uint64_t word;
    std::memcpy(&word, from, sizeof word);
    if (has_special(word)) return false;
    std::memcpy(to, &word, sizeof word);
  }
  for (; left > 0; --left) {
    if (!is_plain(static_cast<unsigned char>(*from))) return false;
    *to++ = *from++;
  }
  at_ = to;
  return true;
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
  put_key(key, value.size() + 2);
  put('"');
  if (!put_plain(value)) put_escaped(value);
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
  static thread_local SecondText second_text;
  const auto second = floor<seconds>(value);
  put('"');
  put(second_text.of(second));
  put('.');
  put_digits(floor<microseconds>(value - second).count(), 6);
  put("Z\"");
}

void JsonLine::end() {
  reserve(2);
  put("}\n");
  out_.resize(static_cast<size_t>(at_ - out_.data()));
}

}  // namespace transom
