#include "base/fields.h"

#include <algorithm>

namespace transom {
namespace {

// Room for a usual head, taken at once: growing step by step would cost several allocations of each.
constexpr size_t kUsualFields = 12;
constexpr size_t kUsualBytes = 384;

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }

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
  std::transform(text_.begin() + static_cast<ptrdiff_t>(at), text_.end(),
                 text_.begin() + static_cast<ptrdiff_t>(at), lower);
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
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return lower(x) == lower(y); });
}

}  // namespace transom
