// A Binding is one value taken from the request's path or query for one field of the message: route makes it, the
// transcoder parses its text by the field's kind and writes it. Text is percent-decoded already, exactly once.
#pragma once

#include <string>
#include <vector>

#include "schema/plan.h"

namespace transom {

enum class Origin : uint8_t { Path, Query };

// From the request message down to the field; never empty.
using FieldPath = std::vector<const FieldPlan*>;

// "a.b.c" of that message by JSON or proto names; INVALID_ARGUMENT says which part is wrong.
struct Binding {
  const FieldPath* path = nullptr;  // lives in the Route or in the request's own storage
  Origin origin = Origin::Path;
  std::string text;
  std::string map_key;              // of m[k]=v; only when the last field of path is a map
  std::string name;                 // as the client wrote it, for messages
};

}  // namespace transom
