// The entries of a map field -> the members of a JSON object. Of a key that comes twice, the last entry counts; what an
// entry lacks is the default. Free functions over one JsonPrint.
#pragma once

#include "transcode/field_walk.h"
#include "transcode/json_print.h"

namespace transom {

// Without braces. is_first becomes false with the first entry.
bool print_map_entries(JsonPrint& print, const FieldPlan& field, FieldWalk& walk, bool& is_first);

}  // namespace transom
