// The well-known types whose JSON is not an object of their fields -> JSON. Free functions over one JsonPrint.
#pragma once

#include "schema/plan.h"
#include "transcode/json_print.h"

namespace transom {

// Any codec but Plain.
bool print_well_known(JsonPrint& print, const MessagePlan& plan, Parts parts);

// {"@type":url,"value":base64}: how a message of a type that nobody knows is shown.
bool print_unknown_any(JsonPrint& print, std::string_view url, std::string_view value);

// The type_url and value of an Any. False when its bytes are malformed.
bool read_any(Parts parts, std::string_view& url, std::string_view& value);

}  // namespace transom
