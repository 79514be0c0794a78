// Values from the request's path and query -> wire, behind what the body gave. The wire merges messages and the last of
// a singular field wins, so nested bindings need not know what the body wrote into the same message.
// Free functions over one JsonParse.
#pragma once

#include <span>

#include "schema/binding.h"
#include "transcode/json_parse.h"
#include "transcode/json_to_wire.h"

namespace transom {

// Leaves out query values of what the path or the body binds (strict: a failure). has_body: the body gave something.
bool write_bindings(JsonParse& parse, const JsonToWire& job, bool has_body);

// Whether one is the other, or lies inside it.
bool overlaps(std::span<const FieldPlan* const> a, std::span<const FieldPlan* const> b);

}  // namespace transom
