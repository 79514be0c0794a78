#include "transcode/print_list.h"

#include <bit>

#include "transcode/print_map.h"
#include "transcode/print_message.h"
#include "transcode/print_scalar.h"

namespace transom {
namespace {

constexpr size_t kElementsBetweenLooks = 1024;

// The loop that tensors spend their time in.
bool print_packed_floats(JsonPrint& print, std::string_view content, bool& is_first) {
  if (content.size() % sizeof(float) != 0) {
    return print.fail_malformed();
  }
  JsonWriter& out = print.out;
  const char* end = content.data() + content.size();
  size_t looks = 0;
  for (const char* at = content.data(); at < end; at += sizeof(float)) {
    if (!out.reserve(JsonWriter::kNumberBytesMax) || (++looks % kElementsBetweenLooks == 0 && !print.go_on())) {
      return false;
    }
    if (!is_first) {
      out.put(',');
    }
    is_first = false;
    out.put_float(std::bit_cast<float>(read_fixed32(at)));
  }
  return true;
}

bool print_packed(JsonPrint& print, const FieldPlan& field, std::string_view content, bool& is_first) {
  WireType type = wire_type_of(field.kind);
  const char* at = content.data();
  const char* end = at + content.size();
  size_t looks = 0;
  while (at < end) {
    WireValue value;
    if (!read_wire_value(at, end, {field.number, type}, 0, value)) {
      return print.fail_malformed();
    }
    if (is_unnamed_value(field, value.bits)) {
      continue;
    }
    if (!print.out.reserve(JsonWriter::kNumberBytesMax)) {
      return false;
    }
    if (!is_first) {
      print.out.put(',');
    }
    if (!print_bits(print, field, value.bits) ||
        (++looks % kElementsBetweenLooks == 0 && !print.go_on())) {
      return false;
    }
    is_first = false;
  }
  return true;
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
      bool ok = field.kind == Kind::Float ? print_packed_floats(print, content, is_first)
                                          : print_packed(print, field, content, is_first);
      if (!ok) {
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
