#include "schema/plan.h"

#include <algorithm>
#include <cstring>

namespace transom {
namespace {

constexpr uint16_t kEmpty = 0xffff;
constexpr uint16_t kByProtoName = 0x8000;  // in name_table: the slot stands for the field's proto name
constexpr uint64_t kMultiplier = 0x9e3779b97f4a7c15;

char to_upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

bool equal_in_upper_case(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](char x, char y) { return to_upper(x) == to_upper(y); });
}

uint64_t load(const char* at, size_t bytes) {
  uint64_t word = 0;
  std::memcpy(&word, at, bytes);
  return word;
}

}  // namespace

uint32_t hash_field_name(std::string_view name) {
  uint64_t hash = name.size() * kMultiplier;
  const char* at = name.data();
  size_t left = name.size();
  for (; left >= 8; left -= 8, at += 8) {
    hash = (hash ^ load(at, 8)) * kMultiplier;
    hash ^= hash >> 32;
  }
  if (left > 0) {
    hash = (hash ^ load(at, left)) * kMultiplier;
  }
  return static_cast<uint32_t>(hash >> 32);
}

const FieldPlan* MessagePlan::find_field(std::string_view name) const {
  if (name_table.empty()) {
    return nullptr;
  }
  const size_t mask = name_table.size() - 1;
  for (size_t slot = hash_field_name(name) & mask; name_table[slot] != kEmpty; slot = (slot + 1) & mask) {
    const FieldPlan& field = fields[name_table[slot] & ~kByProtoName];
    if (name == ((name_table[slot] & kByProtoName) != 0 ? field.proto_name : field.json_name)) {
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
  auto found = std::ranges::lower_bound(by_name, name, {}, &EnumEntry::name);
  return found != by_name.end() && found->name == name ? &*found : nullptr;
}

const EnumEntry* EnumPlan::find_ignoring_case(std::string_view name) const {
  auto found =
      std::ranges::find_if(by_name, [name](const EnumEntry& entry) { return equal_in_upper_case(entry.name, name); });
  return found != by_name.end() ? &*found : nullptr;
}

const EnumEntry* EnumPlan::find(int32_t number) const {
  auto found = std::ranges::lower_bound(by_number, number, {}, &EnumEntry::number);
  return found != by_number.end() && found->number == number ? &*found : nullptr;
}

}  // namespace transom
