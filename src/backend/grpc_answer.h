// What a replica's HTTP/2 answer says in gRPC's terms (the gRPC HTTP/2 protocol, http-grpc-status-mapping.md). Pure
// functions over hostile input.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/fields.h"
#include "base/status.h"

namespace transom {

// "application/grpc", alone or followed by a subtype (+proto) or parameters.
bool is_grpc_content_type(std::string_view content_type);

// For an answer without a grpc-status.
Code code_of_answer_status(int http_status);

// For a stream that ended with RST_STREAM.
Code code_of_reset(uint32_t h2_error);

// "CANCEL"; the number for a code that RFC 9113 section 7 does not name.
std::string reset_name(uint32_t h2_error);

// Percent-decoded, invalid escapes kept; invalid UTF-8 replaced.
std::string decode_grpc_message(std::string_view text);
// The same of a peer's text that is to stand in a message of ours: without control characters.
std::string legible_text(std::string_view text);

// The status that the fields carry; grpc-status, grpc-message and grpc-status-details-bin are taken out of them.
// UNKNOWN if there is none or it is malformed; `replica` names who is to blame.
Status take_grpc_status(Fields& trailers, const std::string& replica);

}  // namespace transom
