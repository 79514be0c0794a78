// One scalar field of a message on the wire as plain text, for what stands beside the message: the id of a server-sent
// event. Pure.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "schema/binding.h"

namespace transom {

// Whether a field at the end of that path can be written so: a singular string, integer, bool or enum (its number).
bool has_field_text(const FieldPath& path);

// Appends the text of the field, or of its default where it has no presence; the last of several values wins, as in
// protobuf. False when there is none or it is empty, and for malformed bytes. path: one that has_field_text().
bool append_field_text(const FieldPath& path, std::string_view wire, std::string& out);

}  // namespace transom
