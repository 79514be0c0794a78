// The FieldMask of a PATCH, filled from the members that its body has (AIP-134), so that the replica can tell a field
// that was given from one that was left out. A second walk over text that was found good; free functions over one
// JsonParse.
#pragma once

#include <string_view>

#include "transcode/json_parse.h"
#include "transcode/json_to_wire.h"

namespace transom {

// Whether the rule, the options and the bindings leave it to the body to say the mask.
bool wants_body_mask(const JsonToWire& job);

// text: the body, already read. Paths are relative to the body's field and in proto names; what the path binds is not
// among them, an empty or null member is.
bool write_body_mask(JsonParse& parse, const JsonToWire& job, std::string_view text);

}  // namespace transom
