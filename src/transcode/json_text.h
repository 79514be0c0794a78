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

namespace transom {

inline bool is_json_special(char c) {
  return c == '"' || c == '\\' || static_cast<uint8_t>(c) < 0x20;
}

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
TextTraits text_traits(std::string_view text);

}  // namespace transom
