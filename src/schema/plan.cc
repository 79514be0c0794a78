#include "schema/plan.h"

#include <algorithm>

#include "base/small_bytes.h"

namespace transom {
namespace {

constexpr uint16_t kEmpty = 0xffff;
constexpr uint16_t kByProtoName = 0x8000;  // in name_table: the slot stands for the field's proto name
constexpr uint64_t kMultiplier = 0x9e3779b97f4a7c15;

char to_upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

bool equal_in_upper_case(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](char x, char y) { return to_upper(x) == to_upper(y); });
}

bool is_same(std::string_view a, std::string_view b) {
  return a.size() == b.size() && equal_bytes(a.data(), b.data(), a.size());
}

}  // namespace

uint32_t hash_field_name(std::string_view name) {
  uint64_t hash = name.size() * kMultiplier;
  const char* at = name.data();
  size_t left = name.size();
  for (; left > 8; left -= 8, at += 8) {
    hash = (hash ^ load_bytes<uint64_t>(at)) * kMultiplier;
    hash ^= hash >> 32;
  }
  uint64_t last = 0;
  if (left >= 4) {
    last = load_bytes<uint32_t>(at) | uint64_t{load_bytes<uint32_t>(at + left - 4)} << 32;
  } else if (left > 0) {
    last = uint64_t{static_cast<uint8_t>(at[0])} | uint64_t{static_cast<uint8_t>(at[left / 2])} << 8 |
           uint64_t{static_cast<uint8_t>(at[left - 1])} << 16;
  }
  return static_cast<uint32_t>((hash ^ last) * kMultiplier >> 32);
}

const FieldPlan* MessagePlan::find_field(std::string_view name) const {
  if (name_table.empty()) {
    return nullptr;
  }
  const size_t mask = name_table.size() - 1;
  for (size_t slot = hash_field_name(name) & mask; name_table[slot] != kEmpty; slot = (slot + 1) & mask) {
    const FieldPlan& field = fields[name_table[slot] & ~kByProtoName];
    if (is_same(name, (name_table[slot] & kByProtoName) != 0 ? field.proto_name : field.json_name)) {
      return &field;
    }
  }
  return nullptr;
}

const FieldPlan* MessagePlan::find_field(uint32_t number) const {
  if (number < dense_table.size()) {
    return dense_table[number] == kEmpty ? nullptr : &fields[dense_table[number]];
  }
  auto found =
      std::ranges::lower_bound(sorted_table, number, {}, [this](uint16_t index) { return fields[index].number; });
  return found != sorted_table.end() && fields[*found].number == number ? &fields[*found] : nullptr;
}

const EnumEntry* EnumPlan::find(std::string_view name) const {
  if (!name_table.empty()) {
    const size_t mask = name_table.size() - 1;
    for (size_t slot = hash_field_name(name) & mask; name_table[slot] != kEmpty; slot = (slot + 1) & mask) {
      if (is_same(by_name[name_table[slot]].name, name)) {
        return &by_name[name_table[slot]];
      }
    }
    return nullptr;
  }
  auto found = std::ranges::lower_bound(by_name, name, {}, &EnumEntry::name);
  return found != by_name.end() && found->name == name ? &*found : nullptr;
}

const EnumEntry* EnumPlan::find_ignoring_case(std::string_view name) const {
  if (const EnumEntry* exact = find(name); exact != nullptr) {
    return exact;
  }
  auto found =
      std::ranges::find_if(by_name, [name](const EnumEntry& entry) { return equal_in_upper_case(entry.name, name); });
  return found != by_name.end() ? &*found : nullptr;
}

const EnumEntry* EnumPlan::find_by_search(int32_t number) const {
  auto found = std::ranges::lower_bound(by_number, number, {}, &EnumEntry::number);
  return found != by_number.end() && found->number == number ? &*found : nullptr;
}

}  // namespace transom
