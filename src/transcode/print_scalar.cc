#include "transcode/print_scalar.h"

#include <bit>
#include <cstring>

#include "transcode/field_walk.h"
#include "transcode/integer_text.h"
#include "transcode/json_text.h"
#include "transcode/wire_reader.h"

namespace transom {
namespace {

int64_t unzigzag(uint64_t bits) { return static_cast<int64_t>(bits >> 1 ^ (0 - (bits & 1))); }

bool print_enum(JsonPrint& print, const EnumPlan& plan, int32_t value) {
  if (plan.is_null_value) {
    return print.out.write("null");
  }
  const EnumEntry* entry = print.options.always_print_enums_as_ints ? nullptr : plan.find(value);
  if (entry == nullptr) {
    print.out.put_int(value);
    return true;
  }
  return print.out.write_string(entry->name);
}

}  // namespace

char* write_integer(char* to, Kind kind, bool is_quoted, uint64_t bits) {
  switch (kind) {
    case Kind::Int32:
    case Kind::Sfixed32:
      return write_int32(to, static_cast<int32_t>(bits));
    case Kind::Sint32:
      return write_int32(to, static_cast<int32_t>(unzigzag(bits & 0xffffffff)));
    case Kind::Uint32:
    case Kind::Fixed32:
      return write_uint32(to, static_cast<uint32_t>(bits));
    case Kind::Bool: {
      std::string_view text = bits != 0 ? "true" : "false";
      std::memcpy(to, text.data(), text.size());
      return to + text.size();
    }
    case Kind::Int64:
    case Kind::Sfixed64:
    case Kind::Sint64:
    case Kind::Uint64:
    case Kind::Fixed64:
      break;
    default:
      return nullptr;
  }
  *to = '"';
  to += is_quoted ? 1 : 0;
  bits = kind == Kind::Sint64 ? static_cast<uint64_t>(unzigzag(bits)) : bits;
  const bool is_negative = kind != Kind::Uint64 && kind != Kind::Fixed64 && static_cast<int64_t>(bits) < 0;
  *to = '-';
  to = write_uint(to + (is_negative ? 1 : 0), is_negative ? 0 - bits : bits);
  *to = '"';
  return to + (is_quoted ? 1 : 0);
}

bool print_bits(JsonPrint& print, const FieldPlan& field, uint64_t bits) {
  JsonWriter& out = print.out;
  if (!out.reserve(JsonWriter::kNumberBytesMax)) {
    return false;
  }
  switch (field.kind) {
    case Kind::Float:
      out.put_float(std::bit_cast<float>(static_cast<uint32_t>(bits)));
      return true;
    case Kind::Double:
      out.put_double(std::bit_cast<double>(bits));
      return true;
    case Kind::Enum:
      return print_enum(print, *field.enumeration, static_cast<int32_t>(bits));
    default:
      break;
  }
  char* end = write_integer(out.at(), field.kind, !print.options.int64_as_number, bits);
  if (end == nullptr) {
    return print.fail("a group has no JSON form");
  }
  out.set_at(end);
  return true;
}

bool print_number_key(JsonPrint& print, const FieldPlan& key, uint64_t bits, bool has_comma) {
  if (!print.out.reserve(JsonWriter::kNumberBytesMax + 4)) {
    return false;
  }
  char* to = print.out.at();
  *to = ',';
  to += has_comma ? 1 : 0;
  *to = '"';
  char* end = write_integer(to + 1, key.kind, false, bits);
  if (end == nullptr) {
    return print.fail("a map key of that type has no JSON form");
  }
  std::memcpy(end, "\":", 2);
  print.out.set_at(end + 2);
  return true;
}

bool print_string(JsonPrint& print, std::string_view text) {
  TextTraits traits = text_traits(text);
  if (!traits.is_ascii && !is_utf8(text)) {
    return print.fail("a string in the replica's message is not UTF-8");
  }
  if (traits.has_special) {
    return print.out.write_string(text);
  }
  if (!print.out.reserve(text.size() + 2)) {
    return false;
  }
  print.out.put_plain_string(text);
  return true;
}

bool print_scalar(JsonPrint& print, const FieldPlan& field, const WireValue& value) {
  if (field.kind == Kind::String) {
    return print_wire_string(print, value.content);
  }
  return field.kind == Kind::Bytes ? print.out.write_base64(value.content) : print_bits(print, field, value.bits);
}

bool print_default_scalar(JsonPrint& print, const FieldPlan& field) {
  if (field.kind == Kind::String || field.kind == Kind::Bytes) {
    return print.out.write("\"\"");
  }
  uint64_t bits = 0;
  if (field.kind == Kind::Enum && field.enumeration->find(0) == nullptr && !field.enumeration->by_number.empty()) {
    bits = static_cast<uint64_t>(static_cast<int64_t>(field.enumeration->by_number[0].number));
  }
  return print_bits(print, field, bits);
}

}  // namespace transom
