#include "transcode/json_text.h"

#include <simdjson.h>

#include <cstring>

namespace transom {
namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') {
    return c - '0';
  }
  char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

// The four digits of \uXXXX, or -1. left: how many characters there are at p.
int hex_four(const char* p, size_t left) {
  if (left < 4) {
    return -1;
  }
  int value = 0;
  for (int i = 0; i < 4; ++i) {
    int digit = hex_digit(p[i]);
    if (digit < 0) {
      return -1;
    }
    value = value << 4 | digit;
  }
  return value;
}

char* put_utf8(char* to, uint32_t c) {
  if (c < 0x80) {
    *to++ = static_cast<char>(c);
  } else if (c < 0x800) {
    *to++ = static_cast<char>(0xc0 | c >> 6);
    *to++ = static_cast<char>(0x80 | (c & 0x3f));
  } else if (c < 0x10000) {
    *to++ = static_cast<char>(0xe0 | c >> 12);
    *to++ = static_cast<char>(0x80 | (c >> 6 & 0x3f));
    *to++ = static_cast<char>(0x80 | (c & 0x3f));
  } else {
    *to++ = static_cast<char>(0xf0 | c >> 18);
    *to++ = static_cast<char>(0x80 | (c >> 12 & 0x3f));
    *to++ = static_cast<char>(0x80 | (c >> 6 & 0x3f));
    *to++ = static_cast<char>(0x80 | (c & 0x3f));
  }
  return to;
}

char simple_escape(char c) {
  switch (c) {
    case '"':
    case '\\':
    case '/':
      return c;
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    default:
      return 0;
  }
}

// p is after the "\u". Moves p past what was read; false for half of a surrogate pair and for what is no escape.
bool read_unicode_escape(const char*& p, const char* end, uint32_t& c) {
  int first = hex_four(p, static_cast<size_t>(end - p));
  if (first < 0 || (first >= 0xdc00 && first < 0xe000)) {
    return false;
  }
  p += 4;
  c = static_cast<uint32_t>(first);
  if (first < 0xd800 || first >= 0xe000) {
    return true;
  }
  if (end - p < 6 || p[0] != '\\' || p[1] != 'u') {
    return false;
  }
  int second = hex_four(p + 2, static_cast<size_t>(end - p - 2));
  if (second < 0xdc00 || second >= 0xe000) {
    return false;
  }
  p += 6;
  c = 0x10000 + ((c - 0xd800) << 10) + (static_cast<uint32_t>(second) - 0xdc00);
  return true;
}

// The length of the well-formed character at p, 0 when there is none. Table 3-7 of the Unicode standard.
size_t utf8_character(const uint8_t* p, size_t left) {
  uint8_t c = p[0];
  if (c < 0x80) {
    return 1;
  }
  if (c < 0xc2 || c > 0xf4) {
    return 0;
  }
  size_t bytes = c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
  if (left < bytes) {
    return 0;
  }
  uint8_t low = c == 0xe0 ? 0xa0 : c == 0xf0 ? 0x90 : 0x80;
  uint8_t high = c == 0xed ? 0x9f : c == 0xf4 ? 0x8f : 0xbf;
  if (p[1] < low || p[1] > high) {
    return 0;
  }
  for (size_t i = 2; i < bytes; ++i) {
    if ((p[i] & 0xc0) != 0x80) {
      return 0;
    }
  }
  return bytes;
}

}  // namespace

char* unescape_json(std::string_view raw, char* target, const char** wrong) {
  const char* p = raw.data();
  const char* end = p + raw.size();
  while (p < end) {
    const auto* escape = static_cast<const char*>(std::memchr(p, '\\', static_cast<size_t>(end - p)));
    size_t plain = static_cast<size_t>((escape == nullptr ? end : escape) - p);
    std::memcpy(target, p, plain);
    target += plain;
    p += plain;
    if (escape == nullptr) {
      break;
    }
    *wrong = escape;
    if (end - p < 2) {
      return nullptr;
    }
    char c = p[1];
    p += 2;
    if (c == 'u') {
      uint32_t character = 0;
      if (!read_unicode_escape(p, end, character)) {
        return nullptr;
      }
      target = put_utf8(target, character);
    } else if (char plain_form = simple_escape(c); plain_form != 0) {
      *target++ = plain_form;
    } else {
      return nullptr;
    }
  }
  return target;
}

size_t utf8_valid_bytes(std::string_view text) {
  const auto* p = reinterpret_cast<const uint8_t*>(text.data());
  size_t at = 0;
  while (at < text.size()) {
    size_t bytes = utf8_character(p + at, text.size() - at);
    if (bytes == 0) {
      break;
    }
    at += bytes;
  }
  return at;
}

bool is_utf8(std::string_view text) { return simdjson::validate_utf8(text.data(), text.size()); }

}  // namespace transom
