// Messages by their plans -> JSON objects, field by field. Free functions over one JsonPrint.
#pragma once

#include "schema/plan.h"
#include "transcode/field_walk.h"
#include "transcode/json_print.h"

namespace transom {

// A message of any codec. No parts: a message with nothing in it.
bool print_message(JsonPrint& print, const MessagePlan& plan, Parts parts);

// The members of a Plain message, without braces; is_first: no comma before the first.
bool print_members(JsonPrint& print, const MessagePlan& plan, Parts parts, bool is_first);

// The field's value at hand, without its name: a scalar or a message. For a singular message: all its parts.
bool print_value(JsonPrint& print, const FieldPlan& field, FieldWalk& walk);

// What a field is whose bytes are not on the wire: [], {}, 0, "" ...; a message is null unless it is an object or
// array.
bool print_default(JsonPrint& print, const FieldPlan& field);

}  // namespace transom
