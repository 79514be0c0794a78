#include "base/fields.h"

#include <algorithm>
#include <cstring>

namespace transom {
namespace {

// Room for a usual head, taken at once: growing step by step would cost several allocations of each.
constexpr size_t kUsualFields = 12;
constexpr size_t kUsualBytes = 384;

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }

// Eight bytes at a time: sums of seven-bit bytes carry into the high bit from 'A' on, and from behind 'Z' on.
uint64_t lower(uint64_t word) {
  constexpr uint64_t kOnes = 0x0101010101010101;
  const uint64_t low = word & kOnes * 0x7f;
  const uint64_t is_upper = (low + kOnes * (0x80 - 'A')) ^ (low + kOnes * (0x80 - 'Z' - 1));
  return word | (is_upper & ~word & kOnes * 0x80) >> 2;
}

void make_lower(char* at, char* end) {
  for (; end - at >= 8; at += 8) {
    uint64_t word;
    std::memcpy(&word, at, sizeof word);
    word = lower(word);
    std::memcpy(at, &word, sizeof word);
  }
  std::transform(at, end, at, [](char c) { return lower(c); });
}

}  // namespace

void Fields::add(std::string_view name, std::string_view value) {
  if (slots_.empty()) {
    slots_.reserve(kUsualFields);
    text_.reserve(kUsualBytes);
  }
  slots_.push_back({static_cast<uint32_t>(text_.size()), static_cast<uint32_t>(name.size()),
                    static_cast<uint32_t>(value.size())});
  size_t at = text_.size();
  text_.append(name);
  make_lower(text_.data() + at, text_.data() + text_.size());
  text_.append(value);
}

std::optional<std::string_view> Fields::find(std::string_view name) const {
  for (const Field field : *this) {
    if (field.name == name) {
      return field.value;
    }
  }
  return std::nullopt;
}

void Fields::remove(std::string_view name) {
  // The text stays behind: fields are removed a few times a request at most, and the buffer goes with it.
  std::erase_if(slots_, [&](const Slot& slot) {
    return std::string_view(text_).substr(slot.at, slot.name_bytes) == name;
  });
}

void Fields::clear() {
  text_.clear();
  slots_.clear();
}

Field Fields::operator[](size_t index) const {
  const Slot& slot = slots_[index];
  std::string_view text(text_);
  return {text.substr(slot.at, slot.name_bytes), text.substr(slot.at + slot.name_bytes, slot.value_bytes)};
}

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) {
    return false;
  }
  return a == b || std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) { return lower(x) == lower(y); });
}

}  // namespace transom
