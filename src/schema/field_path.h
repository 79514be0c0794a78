// Resolves dotted field paths, as http rules and query parameters write them.
#pragma once

#include <string_view>

#include "base/status.h"
#include "schema/binding.h"

namespace transom {

// Each part by JSON or proto name, exactly; all but the last must be singular messages.
// NOT_FOUND names the part that does not exist, INVALID_ARGUMENT the part that cannot be walked through.
Result<FieldPath> resolve_field_path(const MessagePlan& message, std::string_view dotted);

// "a.b.c" in proto names.
std::string format_field_path(const FieldPath& path);

}  // namespace transom
