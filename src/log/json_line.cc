#include "log/json_line.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <utility>

namespace transom {
namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";

constexpr size_t kNumberBytesMax = 24;
constexpr size_t kTimeBytesMax = 32;

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

// Room for a whole member at the end of a string; what is not used of it is cut off again.
class Tail {
 public:
  Tail(std::string& out, size_t bytes_max) : out_(out) {
    const size_t size = out.size();
    out.resize(size + bytes_max);
    at_ = out.data() + size;
  }
  ~Tail() { out_.resize(static_cast<size_t>(at_ - out_.data())); }

  void put(char c) { *at_++ = c; }
  void put(std::string_view text) { at_ = std::copy(text.begin(), text.end(), at_); }
  void put_key(std::string_view key, bool is_first) {
    if (!is_first) put(',');
    put('"');
    put(key);
    put('"');
    put(':');
  }
  void put_number(int64_t number) { at_ = std::to_chars(at_, at_ + kNumberBytesMax, number).ptr; }
  void put_digits(int64_t number, int width) {
    for (int i = width - 1; i >= 0; --i) {
      at_[i] = static_cast<char>('0' + number % 10);
      number /= 10;
    }
    at_ += width;
  }

 private:
  std::string& out_;
  char* at_;
};

constexpr size_t member_bytes(std::string_view key, size_t value_bytes) { return key.size() + 6 + value_bytes; }

}  // namespace

void JsonLine::add(std::string_view key, std::string_view value) {
  const bool is_first = std::exchange(is_first_, false);
  const bool fits = is_plain(value);
  {
    Tail tail(out_, member_bytes(key, fits ? value.size() : 0));
    tail.put_key(key, is_first);
    tail.put('"');
    if (fits) {
      tail.put(value);
      tail.put('"');
    }
  }
  if (!fits) {
    append_text(value, out_);
    out_ += '"';
  }
}

void JsonLine::add(std::string_view key, int64_t value) {
  Tail tail(out_, member_bytes(key, kNumberBytesMax));
  tail.put_key(key, std::exchange(is_first_, false));
  tail.put_number(value);
}

void JsonLine::add(std::string_view key, std::chrono::nanoseconds value) {
  Tail tail(out_, member_bytes(key, kNumberBytesMax + 4));
  tail.put_key(key, std::exchange(is_first_, false));
  const int64_t micros = value.count() > 0 ? value.count() / 1000 : 0;
  tail.put_number(micros / 1000);
  tail.put('.');
  tail.put_digits(micros % 1000, 3);
}

void JsonLine::add(std::string_view key, std::chrono::system_clock::time_point value) {
  using namespace std::chrono;
  Tail tail(out_, member_bytes(key, kTimeBytesMax));
  tail.put_key(key, std::exchange(is_first_, false));
  const auto day = floor<days>(value);
  const year_month_day date(day);
  const hh_mm_ss time(floor<microseconds>(value - day));
  tail.put('"');
  tail.put_digits(static_cast<int>(date.year()), 4);
  tail.put('-');
  tail.put_digits(static_cast<unsigned>(date.month()), 2);
  tail.put('-');
  tail.put_digits(static_cast<unsigned>(date.day()), 2);
  tail.put('T');
  tail.put_digits(time.hours().count(), 2);
  tail.put(':');
  tail.put_digits(time.minutes().count(), 2);
  tail.put(':');
  tail.put_digits(time.seconds().count(), 2);
  tail.put('.');
  tail.put_digits(time.subseconds().count(), 6);
  tail.put("Z\"");
}

}  // namespace transom
