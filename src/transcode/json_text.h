// The characters of JSON text (RFC 8259): where a string ends, what its escapes mean, and strings written.
// Free functions, pure; text that is scanned ends with a NUL and has kJsonPaddingBytes readable bytes after it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "base/small_bytes.h"

namespace transom {

inline bool is_json_special(char c) { return c == '"' || c == '\\' || static_cast<uint8_t>(c) < 0x20; }

#if defined(__SSE2__)
// A bit for each of the 16 bytes that may not stand in a JSON string as it is.
inline unsigned json_special_mask(__m128i bytes) {
  __m128i quote = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"'));
  __m128i backslash = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'));
  __m128i control = _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8(0x1f)), bytes);
  return static_cast<unsigned>(_mm_movemask_epi8(_mm_or_si128(_mm_or_si128(quote, backslash), control)));
}
#endif

// The first quote, backslash or control character at or after p. The NUL that ends the text is one.
inline const char* find_json_special(const char* p) {
#if defined(__SSE2__)
  for (;; p += 16) {
    unsigned mask = json_special_mask(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
    if (mask != 0) {
      return p + __builtin_ctz(mask);
    }
  }
#else
  while (!is_json_special(*p)) {
    ++p;
  }
  return p;
#endif
}

// A string as it stands between its quotes.
struct RawString {
  std::string_view text;
  bool has_escapes = false;
};

// Decodes what stands between the quotes into target, which has room for raw.size() bytes. Returns the end of what was
// written, or nullptr with the offending escape in *wrong: an unknown one, or half of a surrogate pair.
char* unescape_json(std::string_view raw, char* target, const char** wrong);

// How many bytes of text are well-formed UTF-8 (RFC 3629) from its beginning on.
size_t utf8_valid_bytes(std::string_view text);
// Fast; for whole documents and long strings.
bool is_utf8(std::string_view text);

// What stands in the way of writing a string as it is: something to escape, something that is not ASCII.
struct TextTraits {
  bool has_special = false;
  bool is_ascii = true;
};

#if defined(__SSE2__)
// Whatever is shorter than 16 bytes, with some of them twice and the rest filled with spaces.
inline __m128i load_short(const char* p, size_t n) {
  if (n >= 8) {
    auto first = static_cast<int64_t>(load_bytes<uint64_t>(p));
    return _mm_set_epi64x(static_cast<int64_t>(load_bytes<uint64_t>(p + n - 8)), first);
  }
  uint64_t bytes = 0;
  if (n >= 4) {
    bytes = load_bytes<uint32_t>(p) | static_cast<uint64_t>(load_bytes<uint32_t>(p + n - 4)) << 32;
  } else if (n > 0) {
    auto first = static_cast<uint8_t>(p[0]);
    auto middle = static_cast<uint8_t>(p[n / 2]);
    auto last = static_cast<uint8_t>(p[n - 1]);
    bytes = 0x2020202020000000 | static_cast<uint64_t>(last) << 16 | static_cast<uint64_t>(middle) << 8 | first;
  } else {
    bytes = 0x2020202020202020;
  }
  return _mm_set_epi64x(0x2020202020202020, static_cast<int64_t>(bytes));
}
#endif

inline TextTraits text_traits(std::string_view text) {
  TextTraits traits;
#if defined(__SSE2__)
  const char* p = text.data();
  size_t n = text.size();
  if (n < 16) {
    __m128i bytes = load_short(p, n);
    return {json_special_mask(bytes) != 0, _mm_movemask_epi8(bytes) == 0};
  }
  unsigned special = 0;
  int wide = 0;
  for (size_t i = 0;; i = i + 32 <= n ? i + 16 : n - 16) {
    __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p + i));
    special |= json_special_mask(bytes);
    wide |= _mm_movemask_epi8(bytes);
    if (i == n - 16) {
      break;
    }
  }
  traits = {special != 0, wide == 0};
#else
  for (char c : text) {
    traits.has_special = traits.has_special || is_json_special(c);
    traits.is_ascii = traits.is_ascii && static_cast<uint8_t>(c) < 0x80;
  }
#endif
  return traits;
}

}  // namespace transom
