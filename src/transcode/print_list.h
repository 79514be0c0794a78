// Repeated fields -> JSON arrays, packed or not, and map fields -> JSON objects. Free functions over one JsonPrint.
#pragma once

#include "transcode/field_walk.h"
#include "transcode/json_print.h"

namespace transom {

// All values of the field at hand, as an array or an object with its brackets. is_empty: there was none.
bool print_repeated(JsonPrint& print, const FieldPlan& field, FieldWalk& walk, bool& is_empty);

}  // namespace transom
