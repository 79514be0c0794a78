// google.protobuf.Struct, Value and ListValue, written as every library writes them, -> JSON: field after field, with no
// look at their plans. What else the wire format allows makes the print untidy, and is read the general way in the
// careful one (json_print.h). Free functions over one JsonPrint, which must not be careful.
#pragma once

#include <string_view>

#include "schema/plan.h"
#include "transcode/json_print.h"

namespace transom {

// codec: Struct, Value or ListValue.
bool print_usual_struct(JsonPrint& print, Codec codec, std::string_view content);

}  // namespace transom
