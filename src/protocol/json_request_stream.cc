#include "protocol/json_request_stream.h"

#include <utility>

#include "protocol/http_body.h"
#include "protocol/media_type.h"

namespace transom {

JsonRequestStream::JsonRequestStream(const TranscodeRules& rules, RequestBindings bindings, bool binds_every)
    : rules_(rules), bindings_(std::move(bindings)), binds_every_(binds_every), is_raw_(takes_http_body(*rules.request)) {}

Status JsonRequestStream::on_head(const BodyHead& head) {
  head_ = head;
  if (is_raw_ && head.fields != nullptr) {
    Result<std::string> extensions = read_extensions(*head.fields);
    if (!extensions.ok()) {
      return extensions.status();
    }
    raw_head_.extensions = std::move(*extensions);
  }
  raw_head_.content_type = head.content_type.value_or("");
  return head.content_length > 0 ? begin() : Status();
}

// A body is there: what is it?
Status JsonRequestStream::begin() {
  if (splitter_.has_value()) {
    return {};
  }
  const bool is_lines = is_ndjson(head_.content_type.value_or(""));
  splitter_.emplace(is_lines ? JsonForm::Lines : JsonForm::Values, rules_.limits->request_body);
  BodyHead head = head_;
  if (is_lines) {
    head.content_type = {};
  }
  return check_body_type(rules_, head, slips_);
}

Status JsonRequestStream::on_bytes(std::string_view bytes) {
  if (bytes.empty()) {
    return {};
  }
  if (Status status = begin(); !status.ok()) {
    return status;
  }
  if (is_raw_) {
    raw_.append(bytes);
  } else {
    splitter_->add(bytes);
  }
  return {};
}

void JsonRequestStream::on_end() {
  is_ended_ = true;
  if (splitter_.has_value()) {
    splitter_->end();
  }
}

bool JsonRequestStream::is_done() const {
  return is_ended_ && !has_failed_ && raw_.empty() && (!splitter_.has_value() || is_raw_ || splitter_->is_done());
}

std::optional<Conversion> JsonRequestStream::next_raw() {
  if (raw_.empty()) {
    return std::nullopt;
  }
  // The type stands in the first message only (google/api/httpbody.proto).
  return Conversion::from_http_body(rules_, bindings_.take(binds_every_), std::exchange(raw_, std::string()),
                                    std::exchange(raw_head_, {}));
}

std::optional<Conversion> JsonRequestStream::next() {
  if (is_raw_) {
    return next_raw();
  }
  if (!splitter_.has_value() || has_failed_) {
    return std::nullopt;
  }
  std::string element;
  Result<bool> found = splitter_->next(element);
  if (!found.ok()) {
    has_failed_ = true;
    return Conversion::failure(found.status());
  }
  if (!*found) {
    return std::nullopt;
  }
  Conversion made = Conversion::from_json(rules_, bindings_.take(binds_every_), std::move(element));
  made.number_as(splitter_->taken());
  return made;
}

}  // namespace transom
