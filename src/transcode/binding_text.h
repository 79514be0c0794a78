// The text of one path variable or query parameter -> a field on the wire. Stricter than JSON: integers are plain
// decimal, bools are true or false. Timestamp, Duration, FieldMask and the wrappers have text forms; other messages
// have none. Free functions over one JsonParse.
#pragma once

#include <string_view>

#include "transcode/json_parse.h"

namespace transom {

// Tag and value. A default value is left out unless always. For a repeated field: one element.
bool write_binding_text(JsonParse& parse, const FieldPlan& field, std::string_view text, bool always);

}  // namespace transom
