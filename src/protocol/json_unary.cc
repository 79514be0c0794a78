#include "protocol/json_unary.h"

#include <utility>

#include "protocol/http_body.h"

namespace transom {

JsonUnary::JsonUnary(const TranscodeRules& rules, std::unique_ptr<RequestMessages> request)
    : rules_(rules), request_(std::move(request)), reply_(rules.limits->response_body) {}

Status JsonUnary::on_request_end() {
  request_->on_end();
  return {};
}

Status JsonUnary::on_call_head(const Fields& fields) {
  reply_.on_head(fields);
  return {};
}

Status JsonUnary::on_call_bytes(std::string_view bytes) {
  if (Status status = reply_.on_bytes(bytes); !status.ok()) {
    return status;
  }
  if (reply_.begun() > 1) {
    return replica_error(Code::Internal, "the replica answered a unary call with more than one message");
  }
  return {};
}

std::optional<Conversion> JsonUnary::next_response() {
  return reply_.next_conversion([this](std::string&& message, Coding coding) {
    return gives_http_body(*rules_.response) ? Conversion::to_http_body(rules_, std::move(message), coding, true)
                                             : Conversion::to_json(rules_, std::move(message), coding, {}, {});
  });
}

void JsonUnary::on_response_converted(const Conversion& conversion) {
  has_answer_ = true;
  body_type_ = conversion.content_type();
  body_fields_ = conversion.answer_fields();
}

Status JsonUnary::check_answer() const {
  if (Status status = reply_.check_end(); !status.ok()) {
    return status;
  }
  if (!has_answer_) {
    return replica_error(Code::Internal, "the replica answered a unary call without a message");
  }
  return {};
}

AnswerEnd JsonUnary::on_call_end(const CallEnd& end, bool /*is_head_sent*/) {
  if (!end.status.ok()) {
    return json_failure(end.status, rules_.errors, rules_.schema, *rules_.json);
  }
  if (Status status = check_answer(); !status.ok()) {
    return json_failure(status, rules_.errors, rules_.schema, *rules_.json);
  }
  AnswerEnd answer;
  answer.head = AnswerHead{.status = 200,
                           .content_type = body_type_.empty() ? std::string_view("application/json") : body_type_,
                           .fields = &body_fields_};
  answer.trailers_in_head = true;
  return answer;
}

}  // namespace transom
