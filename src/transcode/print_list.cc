#include "transcode/print_list.h"

#include <algorithm>
#include <cstring>

#include "transcode/integer_text.h"
#include "transcode/print_map.h"
#include "transcode/print_message.h"
#include "transcode/print_scalar.h"

namespace transom {
namespace {

constexpr size_t kElementsBetweenLooks = 1024;

constexpr size_t kElementsPerChunk = 64;

// The loop that tensors spend their time in: room and cancellation are looked at once in a while, and the place to
// write at stays in a register. put(to, at) writes the element at `at`, moves past it and returns the end of what it
// wrote, or nullptr when the bytes are malformed.
template <class Put>
bool print_numbers(JsonPrint& print, std::string_view content, size_t element_bytes_min, bool& is_first, Put put) {
  JsonWriter& out = print.out;
  const char* at = content.data();
  const char* end = at + content.size();
  while (at < end) {
    const size_t left = static_cast<size_t>(end - at) / element_bytes_min + 1;
    size_t count = std::min(left, kElementsPerChunk);
    if (!out.reserve(count * JsonWriter::kNumberBytesMax) || !print.go_on()) {
      return false;
    }
    char* to = out.at();
    *to = ',';
    to += is_first ? 0 : 1;
    is_first = false;
    do {
      to = put(to, at);
      if (to == nullptr) {
        return print.fail_malformed();
      }
      *to++ = ',';
    } while (--count > 0 && at < end);
    out.set_at(to - 1);
  }
  return true;
}

template <class Element, class Write>
bool print_fixed_numbers(JsonPrint& print, std::string_view content, bool& is_first, Write write) {
  if (content.size() % sizeof(Element) != 0) {
    return print.fail_malformed();
  }
  return print_numbers(print, content, sizeof(Element), is_first, [write](char* to, const char*& at) {
    Element element;
    std::memcpy(&element, at, sizeof element);
    at += sizeof element;
    return write(to, element);
  });
}

// Apart, so that its loop has the registers for itself.
[[gnu::noinline]] bool print_packed_int32(JsonPrint& print, std::string_view content, bool& is_first) {
  const char* end = content.data() + content.size();
  return print_numbers(print, content, 1, is_first, [end](char* to, const char*& at) {
    uint32_t narrow = 0;
    if (end - at >= 10 && read_int32_varint(at, narrow)) [[likely]] {
      return write_int32(to, static_cast<int32_t>(narrow));
    }
    uint64_t bits = 0;
    return read_varint(at, end, bits) ? write_int32(to, static_cast<int32_t>(bits)) : nullptr;
  });
}

bool print_packed_enum(JsonPrint& print, const FieldPlan& field, std::string_view content, bool& is_first) {
  const EnumPlan& plan = *field.enumeration;
  const bool has_names = !plan.is_null_value && !print.options.always_print_enums_as_ints;
  const char* at = content.data();
  const char* end = at + content.size();
  size_t looks = 0;
  while (at < end) {
    uint64_t bits = 0;
    if (!read_varint(at, end, bits)) {
      return print.fail_malformed();
    }
    const EnumEntry* entry = plan.find(static_cast<int32_t>(bits));
    if (entry == nullptr && plan.is_closed) {
      continue;
    }
    const size_t name_bytes = has_names && entry != nullptr ? entry->name.size() : 0;
    if (!print.out.reserve(JsonWriter::kNumberBytesMax + name_bytes) ||
        (++looks % kElementsBetweenLooks == 0 && !print.go_on())) {
      return false;
    }
    if (!is_first) {
      print.out.put(',');
    }
    is_first = false;
    if (name_bytes != 0) {
      print.out.put_plain_string(entry->name);
    } else if (!print_bits(print, field, bits)) {
      return false;
    }
  }
  return true;
}

bool print_packed(JsonPrint& print, const FieldPlan& field, std::string_view content, bool& is_first) {
  switch (field.kind) {
    case Kind::Float:
      return print_fixed_numbers<float>(print, content, is_first, write_json_float);
    case Kind::Double:
      return print_fixed_numbers<double>(print, content, is_first, write_json_double);
    case Kind::Sfixed32:
      return print_fixed_numbers<int32_t>(print, content, is_first, write_int32);
    case Kind::Fixed32:
      return print_fixed_numbers<uint32_t>(print, content, is_first, write_uint32);
    case Kind::Int32:
      return print_packed_int32(print, content, is_first);
    case Kind::Enum:
      return print_packed_enum(print, field, content, is_first);
    default:
      break;
  }
  const WireTag tag{field.number, wire_type_of(field.kind)};
  const char* end = content.data() + content.size();
  const bool is_quoted = !print.options.int64_as_number;
  return print_numbers(print, content, 1, is_first, [&](char* to, const char*& at) -> char* {
    WireValue value;
    return read_wire_value(at, end, tag, 0, value) ? write_integer(to, field.kind, is_quoted, value.bits) : nullptr;
  });
}

bool print_elements(JsonPrint& print, const FieldPlan& field, FieldWalk& walk, bool& is_first) {
  bool is_packable = is_packable_type(wire_type_of(field.kind));
  size_t looks = 0;
  do {
    if (++looks % kElementsBetweenLooks == 0 && !print.go_on()) {
      return false;
    }
    if (is_packable && walk.value().type == WireType::Bytes) {
      std::string_view content = walk.value().content;
      if (!print_packed(print, field, content, is_first)) {
        return false;
      }
      continue;
    }
    if (is_unnamed_value(field, walk.value().bits)) {
      continue;
    }
    if ((!is_first && !print.out.write(",")) || !print_value(print, field, walk)) {
      return false;
    }
    is_first = false;
  } while (walk.next_value());
  return true;
}

}  // namespace

bool print_repeated(JsonPrint& print, const FieldPlan& field, FieldWalk& walk, bool& is_empty) {
  if (!print.enter() || !print.out.write(field.is_map ? "{" : "[")) {
    return false;
  }
  is_empty = true;
  bool ok =
      field.is_map ? print_map_entries(print, field, walk, is_empty) : print_elements(print, field, walk, is_empty);
  if (!ok || !print.out.write(field.is_map ? "}" : "]")) {
    return false;
  }
  print.leave();
  return true;
}

}  // namespace transom
