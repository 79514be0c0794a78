#include "protocol/json_stream.h"

#include <utility>

#include "protocol/error_body.h"
#include "protocol/http_body.h"
#include "schema/field_path.h"
#include "transcode/field_text.h"

namespace transom {
namespace {

struct Marks {
  std::string_view before_first;
  std::string_view before;
  std::string_view after;
};

Marks marks_of(Framing framing) {
  switch (framing) {
    case Framing::EventStream:
      return {"data: ", "data: ", "\n\n"};
    case Framing::NdJson:
      return {"", "", "\n"};
    case Framing::Array:
      return {"[", ",", ""};
    case Framing::Raw:
      break;
  }
  return {};
}

}  // namespace

JsonStream::JsonStream(const TranscodeRules& rules, std::unique_ptr<RequestMessages> request, Framing framing)
    : rules_(rules),
      framing_(gives_http_body(*rules.response) ? Framing::Raw : framing),
      request_(std::move(request)),
      reply_(rules.limits->response_body) {
  if (framing_ == Framing::EventStream && rules.stream != nullptr && !rules.stream->event_id.empty()) {
    // The methods of one route may differ in their messages: one without the field has no ids.
    Result<FieldPath> path = resolve_field_path(*rules.response->message, rules.stream->event_id);
    if (path.ok() && has_field_text(*path)) {
      event_id_ = std::move(*path);
    }
  }
}

Status JsonStream::on_request_end() {
  request_->on_end();
  return {};
}

Status JsonStream::on_call_head(const Fields& fields) {
  reply_.on_head(fields);
  return {};
}

std::optional<Conversion> JsonStream::next_response() {
  return reply_.next_conversion([this](std::string&& message, Coding coding) { return convert(std::move(message), coding); });
}

Conversion JsonStream::convert(std::string&& message, Coding coding) {
  if (framing_ == Framing::Raw) {
    return Conversion::to_http_body(rules_, std::move(message), coding, !std::exchange(is_first_taken_, true));
  }
  const Marks marks = marks_of(framing_);
  const std::string_view before = is_first_taken_ ? marks.before : marks.before_first;
  is_first_taken_ = true;
  Conversion made = Conversion::to_json(rules_, std::move(message), coding, before, marks.after);
  if (!event_id_.empty()) {
    made.identify_by(event_id_);
  }
  return made;
}

void JsonStream::on_response_converted(const Conversion& conversion) {
  // A stream of HttpBody takes its type from the first message (google/api/httpbody.proto).
  if (!has_answer_) {
    body_type_ = conversion.content_type();
    body_fields_ = conversion.answer_fields();
  }
  has_answer_ = true;
}

std::optional<AnswerHead> JsonStream::answer_head() {
  if (!has_answer_) {
    return std::nullopt;
  }
  return good_head();
}

AnswerHead JsonStream::good_head() const {
  return AnswerHead{.status = 200,
                    .content_type = body_type_.empty() ? content_type_of(framing_) : body_type_,
                    .fields = has_answer_ ? &body_fields_ : nullptr};
}

std::string_view JsonStream::keep_alive() const {
  return framing_ == Framing::EventStream ? std::string_view(":\n\n") : std::string_view();
}

std::string JsonStream::late_error(const Status& status) const {
  // In band there is one form, whatever errors of their own look like.
  const std::string body = error_body(status, ErrorForm::Status, rules_.schema, *rules_.json);
  switch (framing_) {
    case Framing::EventStream:
      return "event: error\ndata: " + body + "\n\n";
    case Framing::NdJson:
      return "{\"error\":" + body + "}\n";
    case Framing::Array:
      return ",{\"error\":" + body + "}]";
    case Framing::Raw:
      break;
  }
  return {};
}

AnswerEnd JsonStream::head_alone() {
  AnswerEnd answer = on_call_end(CallEnd{}, false);
  answer.has_length = false;
  return answer;
}

AnswerEnd JsonStream::on_call_end(const CallEnd& end, bool is_head_sent) {
  const Status status = end.status.ok() ? reply_.check_end() : end.status;
  if (!status.ok() && !is_head_sent) {
    return json_failure(status, rules_.errors, rules_.schema, *rules_.json);
  }
  AnswerEnd answer;
  answer.status = status;
  if (!status.ok()) {
    answer.bytes = late_error(status);
    answer.abort = true;
    return answer;
  }
  if (!is_head_sent) {
    answer.head = good_head();
  }
  if (framing_ == Framing::Array) {
    answer.bytes = is_first_taken_ ? "]" : "[]";
  } else if (framing_ == Framing::EventStream && rules_.stream != nullptr && !rules_.stream->last_event.empty()) {
    answer.bytes = "data: " + rules_.stream->last_event + "\n\n";
  }
  return answer;
}

}  // namespace transom
