// Wire values of scalar kinds -> JSON: 64-bit integers in quotes, bytes as base64, enums by name, floats in the shortest
// text that reads back the same. Free functions over one JsonPrint.
#pragma once

#include <cstdint>

#include "schema/plan.h"
#include "transcode/json_print.h"

namespace transom {

// One value that is known to be whole; moves at past it.
bool print_scalar(JsonPrint& print, const FieldPlan& field, const char*& at);
// Whether print_scalar would print the kind's default: 0, false, "".
bool is_default_value(const FieldPlan& field, const char* at);
// What a scalar field has that is not on the wire.
bool print_default_scalar(JsonPrint& print, const FieldPlan& field);

// A value of a closed enum without a name, which lists and maps leave out.
bool is_unnamed_value(const FieldPlan& field, const char* at);

// A varint or fixed value, by its bits.
bool print_bits(JsonPrint& print, const FieldPlan& field, uint64_t bits);

// A map key that is no string, in quotes.
bool print_number_key(JsonPrint& print, const FieldPlan& key, uint64_t bits);
// Moves past a value that is left out.
bool skip_scalar(const FieldPlan& field, const char*& at);

// UTF-8 is checked.
bool print_string(JsonPrint& print, std::string_view text);

}  // namespace transom
