// PathTemplate is the path of an HTTP rule, parsed (google/api/http.proto):
//   Template = "/" Segments [ ":" LITERAL ]; Segments = Segment { "/" Segment };
//   Segment = "*" | "**" | LITERAL | "{" FieldPath [ "=" Segments ] "}"
// A plain "/" is taken too. Made at load; nothing of it is needed at a request but what TemplateTree keeps.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace transom {

struct TemplateSegment {
  enum class Kind { Literal, One, Many };  // a text, "*", "**"
  Kind kind = Kind::Literal;
  std::string text;  // of a literal, percent-decoded

  bool operator==(const TemplateSegment&) const = default;
};

struct TemplateVariable {
  std::string field;  // as written: "a.b"
  size_t begin = 0;   // first segment, and the one after the last
  size_t end = 0;
  bool is_multi = false;  // its own template has several segments or "**"
};

struct PathTemplate {
  std::vector<TemplateSegment> segments;
  std::vector<TemplateVariable> variables;
  std::string verb;    // "" when there is none
  size_t many_at = 0;  // where "**" stands; segments.size() when there is none
};

// INVALID_ARGUMENT says what is wrong and at which character (counted from 1).
Result<PathTemplate> parse_path_template(std::string_view text);

}  // namespace transom
