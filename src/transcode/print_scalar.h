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

// A map key that is no string, in quotes.
bool print_number_key(JsonPrint& print, const FieldPlan& key, uint64_t bits);

// UTF-8 is checked.
bool print_string(JsonPrint& print, std::string_view text);

}  // namespace transom
