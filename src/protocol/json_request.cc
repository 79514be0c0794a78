#include "protocol/json_request.h"

#include <utility>

#include "base/padded_text.h"
#include "protocol/http_body.h"

namespace transom {

JsonRequest::JsonRequest(const TranscodeRules& rules, RequestBindings bindings)
    : rules_(rules), bindings_(std::move(bindings)) {}

Status JsonRequest::check_size(size_t bytes) const {
  if (bytes <= rules_.limits->request_body) {
    return {};
  }
  return client_error(Code::ResourceExhausted,
                      "the request body is over the limit of " + std::to_string(rules_.limits->request_body) + " bytes",
                      413);
}

// A body has come that the rule does not take.
Status JsonRequest::check_unused() {
  return rules_.json->strictness.tolerates(Slip::UnusedBody, slips_)
             ? Status()
             : client_error(Code::InvalidArgument, "this path and method take no body");
}

Status JsonRequest::take_extensions() {
  if (head_.fields == nullptr || !takes_body() || !takes_http_body(*rules_.request)) {
    return {};
  }
  Result<std::string> extensions = read_extensions(*head_.fields);
  if (!extensions.ok()) {
    return extensions.status();
  }
  extensions_ = std::move(*extensions);
  return {};
}

Status JsonRequest::on_head(const BodyHead& head) {
  head_ = head;
  if (Status status = take_extensions(); !status.ok() || head.content_length <= 0) {
    return status;
  }
  if (!takes_body()) {
    return check_unused();
  }
  is_type_checked_ = true;
  if (Status status = check_body_type(rules_, head_, slips_); !status.ok()) {
    return status;
  }
  return check_size(static_cast<size_t>(head.content_length));
}

Status JsonRequest::on_bytes(std::string_view bytes) {
  if (bytes.empty()) {
    return {};
  }
  if (!takes_body()) {
    ignored_bytes_ += bytes.size();
    is_complete_ = is_complete_ || ignored_bytes_ > rules_.limits->ignored_body;
    return check_unused();
  }
  if (!is_type_checked_) {
    is_type_checked_ = true;
    if (Status status = check_body_type(rules_, head_, slips_); !status.ok()) {
      return status;
    }
  }
  if (Status status = check_size(body_.size() + bytes.size()); !status.ok()) {
    return status;
  }
  if (body_.empty()) {
    const size_t expected = head_.content_length > 0 ? static_cast<size_t>(head_.content_length) : bytes.size();
    body_.reserve(expected + kJsonPaddingBytes);
  }
  body_.append(bytes);
  return {};
}

std::optional<Conversion> JsonRequest::next() {
  if (!is_complete_ || is_taken_) {
    return std::nullopt;
  }
  is_taken_ = true;
  if (takes_body() && takes_http_body(*rules_.request)) {
    HttpBodyHead head{std::string(head_.content_type.value_or("")), std::move(extensions_)};
    return Conversion::from_http_body(rules_, std::move(bindings_), std::move(body_), std::move(head));
  }
  pad_for_json(body_);
  return Conversion::from_json(rules_, std::move(bindings_), std::move(body_));
}

}  // namespace transom
