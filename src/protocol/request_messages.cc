#include "protocol/request_messages.h"

#include <string>

#include "protocol/http_body.h"
#include "protocol/media_type.h"

namespace transom {

Status check_body_type(const TranscodeRules& rules, const BodyHead& head, SlipSet& slips) {
  if (!head.content_encoding.empty() && !equal_ignoring_case(head.content_encoding, "identity")) {
    return client_error(Code::InvalidArgument,
                        "content-encoding " + std::string(head.content_encoding) + " is not supported", 415);
  }
  const std::string_view type = head.content_type.value_or("");
  if (type.empty() || is_json(type) || takes_http_body(*rules.request)) {
    return {};
  }
  if (rules.json->strictness.tolerates(Slip::ContentType, slips)) {
    return {};
  }
  return client_error(Code::InvalidArgument, "content type " + std::string(type) + " is not JSON", 415);
}

}  // namespace transom
