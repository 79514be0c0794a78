#include "base/base64.h"

#include <array>
#include <cstdint>

namespace transom {
namespace {

constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr uint8_t kNone = 0xff;

constexpr std::array<uint8_t, 256> make_values() {
  std::array<uint8_t, 256> values{};
  values.fill(kNone);
  for (uint8_t i = 0; i < 64; ++i) {
    values[static_cast<uint8_t>(kAlphabet[i])] = i;
  }
  values['-'] = 62;
  values['_'] = 63;
  return values;
}
constexpr std::array<uint8_t, 256> kValues = make_values();

// Takes padding off; false when there is some where none may be.
bool strip_padding(std::string_view& text) {
  if (text.size() % 4 == 0 && text.ends_with("==")) {
    text.remove_suffix(2);
  } else if (text.size() % 4 == 0 && text.ends_with('=')) {
    text.remove_suffix(1);
  }
  return text.size() % 4 != 1;
}

}  // namespace

bool decode_base64(std::string_view text, std::string& out, bool strict) {
  if (!strip_padding(text)) {
    return false;
  }
  size_t start = out.size();
  out.resize(start + text.size() / 4 * 3 + text.size() % 4 * 3 / 4);
  char* to = out.data() + start;
  uint32_t bits = 0;
  unsigned held = 0;
  for (char c : text) {
    uint8_t value = kValues[static_cast<uint8_t>(c)];
    if (value == kNone) {
      out.resize(start);
      return false;
    }
    bits = bits << 6 | value;
    held += 6;
    if (held >= 8) {
      held -= 8;
      *to++ = static_cast<char>(bits >> held & 0xff);
    }
  }
  if (strict && (bits & ((1U << held) - 1)) != 0) {
    out.resize(start);
    return false;
  }
  return true;
}

void encode_base64(std::string_view bytes, bool padded, std::string& out) {
  size_t start = out.size();
  size_t tail = bytes.size() % 3;
  out.resize(start + bytes.size() / 3 * 4 + (tail == 0 ? 0 : padded ? 4 : tail + 1));
  char* to = out.data() + start;
  const auto* from = reinterpret_cast<const uint8_t*>(bytes.data());
  size_t whole = bytes.size() - tail;
  for (size_t i = 0; i < whole; i += 3) {
    uint32_t bits = static_cast<uint32_t>(from[i]) << 16 | static_cast<uint32_t>(from[i + 1]) << 8 | from[i + 2];
    *to++ = kAlphabet[bits >> 18];
    *to++ = kAlphabet[bits >> 12 & 63];
    *to++ = kAlphabet[bits >> 6 & 63];
    *to++ = kAlphabet[bits & 63];
  }
  if (tail == 0) {
    return;
  }
  uint32_t bits = static_cast<uint32_t>(from[whole]) << 16 | (tail == 2 ? static_cast<uint32_t>(from[whole + 1]) << 8 : 0);
  *to++ = kAlphabet[bits >> 18];
  *to++ = kAlphabet[bits >> 12 & 63];
  if (tail == 2) {
    *to++ = kAlphabet[bits >> 6 & 63];
  }
  if (padded) {
    *to++ = '=';
    if (tail == 1) {
      *to++ = '=';
    }
  }
}

}  // namespace transom
