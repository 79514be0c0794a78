// google.api.HttpBody (google/api/httpbody.proto): a message that stands for raw bytes and their content type. Its three
// fields are read and written here, so that a large body is never parsed. Pure.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "schema/shape.h"

namespace transom {

// Views into the message parsed.
struct HttpBodyParts {
  std::string_view content_type;
  std::string_view data;
};

// Whether the body of requests or answers of that shape is an HttpBody: the message itself, or its body field.
bool takes_http_body(const RequestShape& shape);
bool gives_http_body(const ResponseShape& shape);

// Appends the HttpBody to a message of that shape.
void append_http_body(const RequestShape& shape, std::string_view content_type, std::string_view data,
                      std::string& out);

// Finds the parts in a message of that shape; the last of each wins. INTERNAL, the replica's fault, for malformed wire
// and for a content type that cannot be a header.
Result<HttpBodyParts> parse_http_body(const ResponseShape& shape, std::string_view wire);

}  // namespace transom
