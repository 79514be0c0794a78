// The well-known types whose JSON is not an object of their fields: Timestamp, Duration, FieldMask, Struct, Value,
// ListValue, Any and the wrappers. Free functions over one JsonParse.
#pragma once

#include "transcode/json_parse.h"

namespace transom {

// Any codec but Plain; writes the message without tag and length.
bool parse_well_known(JsonParse& parse, const MessagePlan& plan);

// The text forms of Timestamp, Duration and FieldMask, for query parameters too; at names the place for a failure.
bool write_timestamp_text(JsonParse& parse, std::string_view text, const char* at);
bool write_duration_text(JsonParse& parse, std::string_view text, const char* at);
bool write_field_mask_text(JsonParse& parse, std::string_view text, const char* at);

}  // namespace transom
