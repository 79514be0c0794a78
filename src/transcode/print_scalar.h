// Wire values of scalar kinds -> JSON: 64-bit integers in quotes, bytes as base64, enums by name, floats in the
// shortest text that reads back the same. Free functions over one JsonPrint.
#pragma once

#include <cstdint>

#include "schema/plan.h"
#include "transcode/json_print.h"
#include "transcode/wire_reader.h"

namespace transom {

bool print_scalar(JsonPrint& print, const FieldPlan& field, const WireValue& value);
// Whether print_scalar would print the kind's default: 0, false, "".
inline bool is_default_value(const FieldPlan& field, const WireValue& value) {
  return wire_type_of(field.kind) == WireType::Bytes ? value.content.empty() : value.bits == 0;
}
// What a scalar field has that is not on the wire.
bool print_default_scalar(JsonPrint& print, const FieldPlan& field);

// A value of a closed enum without a name, which lists and maps leave out.
inline bool is_unnamed_value(const FieldPlan& field, uint64_t bits) {
  return field.kind == Kind::Enum && field.enumeration->is_closed &&
         field.enumeration->find(static_cast<int32_t>(bits)) == nullptr;
}

// A varint or fixed value, by its bits.
bool print_bits(JsonPrint& print, const FieldPlan& field, uint64_t bits);

inline bool is_integer_kind(Kind kind) {
  return kind != Kind::Double && kind != Kind::Float && kind < Kind::String;
}

// Integers and bools: the end of what was written, nullptr for another kind. to has room for kNumberBytesMax;
// is_quoted: those of 64 bits.
char* write_integer(char* to, Kind kind, bool is_quoted, uint64_t bits);

// A map key that is no string, in quotes, with a comma before and a colon after it.
bool print_number_key(JsonPrint& print, const FieldPlan& key, uint64_t bits, bool has_comma);

// UTF-8 is checked.
bool print_string(JsonPrint& print, std::string_view text);

// Likewise, of text that is part of the wire: mostly it is short and plain.
inline bool print_wire_string(JsonPrint& print, std::string_view text) {
  const char* wire_end = print.wire.data() + print.wire.size();
  return print.out.reserve(JsonWriter::kShortStringBytes) &&
         (print.out.put_short_string(text, wire_end) || print_string(print, text));
}

}  // namespace transom
