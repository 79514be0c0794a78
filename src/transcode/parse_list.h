// JSON arrays -> repeated fields, packed where the plan says so, and JSON objects -> map fields.
// Free functions over one JsonParse.
#pragma once

#include "transcode/json_parse.h"

namespace transom {

bool parse_list(JsonParse& parse, const FieldPlan& field);
bool parse_map(JsonParse& parse, const FieldPlan& field);

}  // namespace transom
