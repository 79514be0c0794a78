#include "transcode/print_scalar.h"

#include <bit>

#include "transcode/field_walk.h"
#include "transcode/json_text.h"
#include "transcode/wire_reader.h"

namespace transom {
namespace {

int64_t unzigzag(uint64_t bits) { return static_cast<int64_t>(bits >> 1 ^ (0 - (bits & 1))); }

bool print_64(JsonWriter& out, bool is_signed, bool is_quoted, uint64_t bits) {
  if (is_quoted) {
    out.put('"');
  }
  if (is_signed) {
    out.put_int(static_cast<int64_t>(bits));
  } else {
    out.put_uint(bits);
  }
  if (is_quoted) {
    out.put('"');
  }
  return true;
}

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

bool print_bits(JsonPrint& print, const FieldPlan& field, uint64_t bits) {
  JsonWriter& out = print.out;
  if (!out.reserve(JsonWriter::kNumberBytesMax)) {
    return false;
  }
  const bool is_quoted = !print.options.int64_as_number;
  switch (field.kind) {
    case Kind::Float:
      out.put_float(std::bit_cast<float>(static_cast<uint32_t>(bits)));
      return true;
    case Kind::Double:
      out.put_double(std::bit_cast<double>(bits));
      return true;
    case Kind::Int32:
    case Kind::Sfixed32:
      out.put_int(static_cast<int32_t>(bits));
      return true;
    case Kind::Sint32:
      out.put_int(static_cast<int32_t>(unzigzag(bits & 0xffffffff)));
      return true;
    case Kind::Uint32:
    case Kind::Fixed32:
      out.put_uint(static_cast<uint32_t>(bits));
      return true;
    case Kind::Int64:
    case Kind::Sfixed64:
      return print_64(out, true, is_quoted, bits);
    case Kind::Sint64:
      return print_64(out, true, is_quoted, static_cast<uint64_t>(unzigzag(bits)));
    case Kind::Uint64:
    case Kind::Fixed64:
      return print_64(out, false, is_quoted, bits);
    case Kind::Bool:
      out.put(std::string_view(bits != 0 ? "true" : "false"));
      return true;
    case Kind::Enum:
      return print_enum(print, *field.enumeration, static_cast<int32_t>(bits));
    default:
      return print.fail("a group has no JSON form");
  }
}

bool print_number_key(JsonPrint& print, const FieldPlan& key, uint64_t bits) {
  if (!print.out.reserve(JsonWriter::kNumberBytesMax + 2)) {
    return false;
  }
  bool is_signed = key.kind == Kind::Int64 || key.kind == Kind::Sfixed64 || key.kind == Kind::Sint64;
  if (is_signed || key.kind == Kind::Uint64 || key.kind == Kind::Fixed64) {
    bits = key.kind == Kind::Sint64 ? static_cast<uint64_t>(unzigzag(bits)) : bits;
    return print_64(print.out, is_signed, true, bits);
  }
  print.out.put('"');
  bool ok = print_bits(print, key, bits) && print.out.reserve(1);
  print.out.put('"');
  return ok;
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
    return print_string(print, value.content);
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
