#include "base/base64.h"

#include <array>
#include <cstdint>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

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

#if defined(__x86_64__)

bool has_byte_shuffle() {
  static const bool has = __builtin_cpu_supports("ssse3") != 0;
  return has;
}

bool has_wide_vectors() {
  static const bool has = __builtin_cpu_supports("avx2") != 0;
  return has;
}

// Twelve bytes in each half as sixteen characters. First each character's six bits are moved into a byte of its own: two
// by shifts to the right, two by shifts to the left, which multiplications do for all lanes at once.
__attribute__((target("avx2"))) inline __m256i encode_twice_twelve(__m256i bytes) {
  const __m256i order =
      _mm256_broadcastsi128_si256(_mm_setr_epi8(1, 0, 2, 1, 4, 3, 5, 4, 7, 6, 8, 7, 10, 9, 11, 10));
  const __m256i spread = _mm256_shuffle_epi8(bytes, order);
  const __m256i right =
      _mm256_mulhi_epu16(_mm256_and_si256(spread, _mm256_set1_epi32(0x0fc0fc00)), _mm256_set1_epi32(0x04000040));
  const __m256i left =
      _mm256_mullo_epi16(_mm256_and_si256(spread, _mm256_set1_epi32(0x003f03f0)), _mm256_set1_epi32(0x01000010));
  const __m256i six = _mm256_or_si256(right, left);
  // The alphabet has five ranges; each has its own distance to ASCII, found by a number of the range: 13 for A to Z, 0
  // for a to z, 1 to 10 for the digits, 11 and 12 for the last two.
  const __m256i is_upper = _mm256_cmpgt_epi8(_mm256_set1_epi8(26), six);
  const __m256i range = _mm256_or_si256(_mm256_subs_epu8(six, _mm256_set1_epi8(51)),
                                        _mm256_and_si256(is_upper, _mm256_set1_epi8(13)));
  constexpr char kDigit = '0' - 52;
  const __m256i distances =
      _mm256_broadcastsi128_si256(_mm_setr_epi8('a' - 26, kDigit, kDigit, kDigit, kDigit, kDigit, kDigit, kDigit,
                                                kDigit, kDigit, kDigit, '+' - 62, '/' - 63, 'A', 0, 0));
  return _mm256_add_epi8(six, _mm256_shuffle_epi8(distances, range));
}

__attribute__((target("avx2"))) void encode_vectors(const uint8_t*& from, size_t& left, char*& to) {
  // Each half is loaded with four bytes that do not count.
  for (; left >= 28; left -= 24, from += 24, to += 32) {
    const __m256i bytes = _mm256_loadu2_m128i(reinterpret_cast<const __m128i*>(from + 12),
                                              reinterpret_cast<const __m128i*>(from));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), encode_twice_twelve(bytes));
  }
}

// Sixteen characters of the standard alphabet as values of six bits; false when there are others. A character is right
// when the sets of its two halves have nothing in common.
__attribute__((target("ssse3"))) inline bool values_of_sixteen(__m128i text, __m128i& values) {
  const __m128i mask = _mm_set1_epi8(0x0f);
  const __m128i high = _mm_and_si128(_mm_srli_epi32(text, 4), mask);
  const __m128i low = _mm_and_si128(text, mask);
  const __m128i low_sets = _mm_setr_epi8(0x15, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x13, 0x1a, 0x1b,
                                         0x1b, 0x1b, 0x1a);
  const __m128i high_sets = _mm_setr_epi8(0x10, 0x10, 0x01, 0x02, 0x04, 0x08, 0x04, 0x08, 0x10, 0x10, 0x10, 0x10, 0x10,
                                          0x10, 0x10, 0x10);
  const __m128i common = _mm_and_si128(_mm_shuffle_epi8(low_sets, low), _mm_shuffle_epi8(high_sets, high));
  if (_mm_movemask_epi8(_mm_cmpeq_epi8(common, _mm_setzero_si128())) != 0xffff) {
    return false;
  }
  // By the high half: '+' and digits, upper and lower case; '/' is taken apart from '+'.
  const __m128i distances = _mm_setr_epi8(0, 63 - '/', 62 - '+', 52 - '0', -'A', -'A', 26 - 'a', 26 - 'a', 0, 0, 0, 0, 0,
                                          0, 0, 0);
  const __m128i is_slash = _mm_cmpeq_epi8(text, _mm_set1_epi8('/'));
  values = _mm_add_epi8(text, _mm_shuffle_epi8(distances, _mm_add_epi8(high, is_slash)));
  return true;
}

__attribute__((target("ssse3"))) void decode_vectors(const char*& from, size_t& left, char*& to) {
  const __m128i order = _mm_setr_epi8(2, 1, 0, 6, 5, 4, 10, 9, 8, 14, 13, 12, -1, -1, -1, -1);
  // Sixteen bytes are stored, of which twelve count: so much room there must be.
  for (; left >= 24; left -= 16, from += 16, to += 12) {
    __m128i values;
    if (!values_of_sixteen(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)), values)) {
      return;
    }
    const __m128i pairs = _mm_maddubs_epi16(values, _mm_set1_epi32(0x01400140));
    const __m128i threes = _mm_madd_epi16(pairs, _mm_set1_epi32(0x00011000));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm_shuffle_epi8(threes, order));
  }
}

#else

bool has_byte_shuffle() { return false; }
bool has_wide_vectors() { return false; }
void encode_vectors(const uint8_t*&, size_t&, char*&) {}
void decode_vectors(const char*&, size_t&, char*&) {}

#endif

std::string_view without_padding(std::string_view text) {
  if (text.size() % 4 == 0 && text.ends_with("==")) {
    text.remove_suffix(2);
  } else if (text.size() % 4 == 0 && text.ends_with('=')) {
    text.remove_suffix(1);
  }
  return text;
}

// Whole groups of four characters, and then what is left of one. False at a character of neither alphabet.
bool decode_groups(const char*& from, size_t& left, char*& to) {
  for (; left >= 4; left -= 4, from += 4, to += 3) {
    const uint8_t a = kValues[static_cast<uint8_t>(from[0])];
    const uint8_t b = kValues[static_cast<uint8_t>(from[1])];
    const uint8_t c = kValues[static_cast<uint8_t>(from[2])];
    const uint8_t d = kValues[static_cast<uint8_t>(from[3])];
    if (((a | b | c | d) & 0xc0) != 0) {
      return false;
    }
    to[0] = static_cast<char>(a << 2 | b >> 4);
    to[1] = static_cast<char>(b << 4 | c >> 2);
    to[2] = static_cast<char>(c << 6 | d);
  }
  return true;
}

// Of the two or three last characters; the bits that are left over go into *spare.
bool decode_tail(const char* from, size_t left, char*& to, uint32_t& spare) {
  uint32_t bits = 0;
  uint32_t held = 0;
  for (; left > 0; --left) {
    const uint8_t value = kValues[static_cast<uint8_t>(*from++)];
    if (value == kNone) {
      return false;
    }
    bits = bits << 6 | value;
    held += 6;
    if (held >= 8) {
      held -= 8;
      *to++ = static_cast<char>(bits >> held & 0xff);
    }
  }
  spare = bits & ((1U << held) - 1);
  return true;
}

char* decode(std::string_view padded, char* to, bool strict) {
  const std::string_view text = without_padding(padded);
  if (text.size() % 4 == 1) {
    return nullptr;
  }
  const char* from = text.data();
  size_t left = text.size();
  if (has_byte_shuffle()) {
    decode_vectors(from, left, to);
  }
  uint32_t spare = 0;
  const bool ok = decode_groups(from, left, to) && decode_tail(from, left, to, spare);
  return ok && (!strict || spare == 0) ? to : nullptr;
}

}  // namespace

size_t decoded_base64_bytes(std::string_view text) {
  const size_t count = without_padding(text).size();
  return count / 4 * 3 + count % 4 * 3 / 4;
}

char* decode_base64_to(std::string_view text, char* to) { return decode(text, to, false); }

bool decode_base64(std::string_view text, std::string& out, bool strict) {
  const size_t start = out.size();
  out.resize(start + decoded_base64_bytes(text));
  if (decode(text, out.data() + start, strict) == nullptr) {
    out.resize(start);
    return false;
  }
  return true;
}

size_t encoded_base64_bytes(size_t bytes, bool padded) {
  const size_t tail = bytes % 3;
  return bytes / 3 * 4 + (tail == 0 ? 0 : padded ? 4 : tail + 1);
}

char* encode_base64_to(std::string_view bytes, bool padded, char* to) {
  const auto* from = reinterpret_cast<const uint8_t*>(bytes.data());
  size_t left = bytes.size();
  if (has_wide_vectors()) {
    encode_vectors(from, left, to);
  }
  for (; left >= 3; left -= 3, from += 3) {
    const uint32_t bits = static_cast<uint32_t>(from[0]) << 16 | static_cast<uint32_t>(from[1]) << 8 | from[2];
    *to++ = kAlphabet[bits >> 18];
    *to++ = kAlphabet[bits >> 12 & 63];
    *to++ = kAlphabet[bits >> 6 & 63];
    *to++ = kAlphabet[bits & 63];
  }
  if (left == 0) {
    return to;
  }
  const uint32_t bits = static_cast<uint32_t>(from[0]) << 16 | (left == 2 ? static_cast<uint32_t>(from[1]) << 8 : 0);
  *to++ = kAlphabet[bits >> 18];
  *to++ = kAlphabet[bits >> 12 & 63];
  if (left == 2) {
    *to++ = kAlphabet[bits >> 6 & 63];
  }
  for (size_t i = left; padded && i < 3; ++i) {
    *to++ = '=';
  }
  return to;
}

void encode_base64(std::string_view bytes, bool padded, std::string& out) {
  const size_t start = out.size();
  out.resize(start + encoded_base64_bytes(bytes.size(), padded));
  encode_base64_to(bytes, padded, out.data() + start);
}

}  // namespace transom
