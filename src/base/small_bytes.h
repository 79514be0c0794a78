// Copying and comparing the few bytes of a name or a short string without a call: two loads that overlap cover any
// length between their size and twice that. Free functions, pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace transom {

template <class T>
inline T load_bytes(const char* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

template <class T>
inline void copy_ends(char* to, const char* from, size_t n) {
  T first = load_bytes<T>(from);
  T last = load_bytes<T>(from + n - sizeof(T));
  std::memcpy(to, &first, sizeof first);
  std::memcpy(to + n - sizeof(T), &last, sizeof last);
}

template <class T>
inline bool equal_ends(const char* a, const char* b, size_t n) {
  return load_bytes<T>(a) == load_bytes<T>(b) && load_bytes<T>(a + n - sizeof(T)) == load_bytes<T>(b + n - sizeof(T));
}

struct SixteenBytes {
  uint64_t low;
  uint64_t high;
};

inline void copy_bytes(char* to, const char* from, size_t n) {
  if (n > 32) {
    std::memcpy(to, from, n);
  } else if (n >= 16) {
    copy_ends<SixteenBytes>(to, from, n);
  } else if (n >= 8) {
    copy_ends<uint64_t>(to, from, n);
  } else if (n >= 4) {
    copy_ends<uint32_t>(to, from, n);
  } else if (n >= 2) {
    copy_ends<uint16_t>(to, from, n);
  } else if (n == 1) {
    *to = *from;
  }
}

inline bool equal_bytes(const char* a, const char* b, size_t n) {
  if (n > 16) {
    return std::memcmp(a, b, n) == 0;
  }
  if (n >= 8) {
    return equal_ends<uint64_t>(a, b, n);
  }
  if (n >= 4) {
    return equal_ends<uint32_t>(a, b, n);
  }
  if (n >= 2) {
    return equal_ends<uint16_t>(a, b, n);
  }
  return n == 0 || *a == *b;
}

}  // namespace transom
