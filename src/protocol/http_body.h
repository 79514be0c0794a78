// google.api.HttpBody (google/api/httpbody.proto): a message that stands for raw bytes, their content type, and
// extensions, which travel as header fields named http-body-extension-bin. Its three fields are read and written here, so
// that a large body is never parsed. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/fields.h"
#include "base/status.h"
#include "schema/shape.h"

namespace transom {

// Views into the message parsed.
struct HttpBodyParts {
  std::string_view content_type;
  std::string_view data;
  std::vector<std::string_view> extensions;  // each a google.protobuf.Any; no more than a header may hold
  size_t extension_bytes = 0;                // of all, with what a header field costs
};

// What goes with the first message of a request.
struct HttpBodyHead {
  std::string content_type;
  std::string extensions;  // as they stand in the message: read_extensions()
};

inline constexpr std::string_view kHttpBodyExtension = "http-body-extension-bin";

// The extensions that the request's header names, as fields of an HttpBody. INVALID_ARGUMENT for what is not the base64
// of an Any. Padded or not, one a field or several with commas between.
Result<std::string> read_extensions(const Fields& request);
// As header fields of the answer. INTERNAL when they are more than a header may hold.
Status add_extensions(const HttpBodyParts& parts, Fields& answer);

// Whether the body of requests or answers of that shape is an HttpBody: the message itself, or its body field.
bool takes_http_body(const RequestShape& shape);
bool gives_http_body(const ResponseShape& shape);

// Appends the HttpBody to a message of that shape.
void append_http_body(const RequestShape& shape, const HttpBodyHead& head, std::string_view data, std::string& out);

// Finds the parts in a message of that shape; the last of each wins. INTERNAL, the replica's fault, for malformed wire
// and for a content type that cannot be a header.
Result<HttpBodyParts> parse_http_body(const ResponseShape& shape, std::string_view wire);

}  // namespace transom
