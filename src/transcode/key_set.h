// KeySet tells whether a key of a map may have come before, by 64 bits made of each key. It can be wrong only in being
// too suspicious, and whoever asks then looks closely. Its table lies on a stack that all open maps of one
// transcoding share, and leaves it when the set goes; only the last set that was made may grow. A local variable.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/small_bytes.h"
#include "transcode/inline_stack.h"

namespace transom {

using KeyTables = InlineStack<uint64_t, 64>;

// Both halves of the product: each bit depends on all.
inline uint64_t mix_keys(uint64_t a, uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = Wide{a ^ 0x9e3779b97f4a7c15} * (b ^ 0xd6e8feb86659fd93);
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

inline uint64_t fingerprint_of(uint64_t key) { return mix_keys(key, 0); }

inline uint64_t fingerprint_of(std::string_view key) {
  const char* at = key.data();
  size_t n = key.size();
  uint64_t mixed = n;
  for (; n > 16; n -= 8, at += 8) {
    mixed = mix_keys(mixed, load_bytes<uint64_t>(at));
  }
  if (n >= 8) {
    return mix_keys(load_bytes<uint64_t>(at) ^ mixed << 56, load_bytes<uint64_t>(at + n - 8) ^ mixed);
  }
  uint64_t bits = 0;
  if (n >= 4) {
    bits = load_bytes<uint32_t>(at) | static_cast<uint64_t>(load_bytes<uint32_t>(at + n - 4)) << 32;
  } else if (n > 0) {
    bits = static_cast<uint8_t>(at[0]) | static_cast<uint64_t>(static_cast<uint8_t>(at[n / 2])) << 8 |
           static_cast<uint64_t>(static_cast<uint8_t>(at[n - 1])) << 16;
  }
  return mix_keys(bits, mixed);
}

// A total order of keys: shorter ones first, and then by their bytes. Keys that ascend need no KeySet.
inline bool is_key_after(std::string_view key, std::string_view prior) {
  const size_t n = key.size();
  if (n != prior.size()) {
    return n > prior.size();
  }
  if (n < 8 || n > 16) {
    return key > prior;
  }
  const auto word = [](const char* at) { return __builtin_bswap64(load_bytes<uint64_t>(at)); };
  const uint64_t first = word(key.data());
  const uint64_t prior_first = word(prior.data());
  return first != prior_first ? first > prior_first : word(key.data() + n - 8) > word(prior.data() + n - 8);
}

class KeySet {
 public:
  // With room for that many.
  explicit KeySet(KeyTables& tables, size_t expected = 0) : tables_(tables), base_(tables.size()), begin_(base_) {
    if (expected > kFew) {
      places_ = std::bit_ceil((expected + kFew) * 2 + 1);
      count_ = kFew;
      tables_.push_zeros(places_);
    }
  }
  ~KeySet() { tables_.pop_to(base_); }
  KeySet(const KeySet&) = delete;
  KeySet& operator=(const KeySet&) = delete;

  // False when the key may have been added before. The first few are compared with each other.
  bool add(uint64_t fingerprint) {
    fingerprint += fingerprint == 0 ? 1 : 0;  // 0 is an empty place
    if (count_ < kFew) {
      bool is_new = true;
      for (size_t i = 0; i < count_; ++i) {
        is_new = is_new && few_[i] != fingerprint;
      }
      few_[count_++] = fingerprint;
      return is_new;
    }
    if (count_ * 2 >= places_) [[unlikely]] {
      grow();
    }
    ++count_;
    return put(fingerprint);
  }

 private:
  // Keys made to crowd one part of the table would make each look long.
  static constexpr size_t kLooksMax = 64;
  static constexpr size_t kPlacesMin = 64;
  static constexpr size_t kFew = 8;

  bool put(uint64_t fingerprint) {
    uint64_t* table = tables_.begin() + begin_;
    const size_t mask = places_ - 1;
    for (size_t look = 0; look < kLooksMax; ++look) {
      uint64_t& place = table[(fingerprint + look) & mask];
      if (place == 0) {
        place = fingerprint;
        return true;
      }
      if (place == fingerprint) {
        return false;
      }
    }
    return false;
  }
  void grow();

  KeyTables& tables_;
  const size_t base_;
  size_t begin_;
  size_t places_ = 0;
  size_t count_ = 0;
  uint64_t few_[kFew];
};

}  // namespace transom
