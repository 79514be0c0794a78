#include "protocol/grpc_json.h"

#include <utility>

#include "base/padded_text.h"
#include "protocol/grpc_message.h"

namespace transom {

namespace {

Status unknown_coding(std::string_view name) {
  std::string message = "a compressed message needs a grpc-encoding that is known, found ";
  message.append(name.empty() ? "none" : name);
  return client_error(Code::Unimplemented, std::move(message));
}

}  // namespace

GrpcJson::GrpcJson(const TranscodeRules& rules, std::string content_type, std::string_view encoding)
    : rules_(rules),
      content_type_(std::move(content_type)),
      encoding_(encoding),
      request_(rules.limits->request_body, Fault::Client),
      reply_(rules.limits->response_body) {}

Status GrpcJson::on_request_end() {
  is_request_ended_ = true;
  return request_.is_inside_message() ? client_error(Code::InvalidArgument, "the request ends inside a message") : Status();
}

std::optional<Conversion> GrpcJson::next_request() {
  GrpcFrame frame;
  if (!request_.next(frame)) {
    return std::nullopt;
  }
  ++taken_;
  std::optional<Coding> coding = Coding::Identity;
  if (frame.is_compressed) {
    coding = parse_coding(encoding_);
    if (!coding.has_value() || *coding == Coding::Identity) {
      return Conversion::failure(unknown_coding(encoding_));
    }
  }
  std::string text;
  text.reserve(frame.message.size() + kJsonPaddingBytes);
  text.append(frame.message);
  Conversion made = Conversion::from_json(rules_, {}, std::move(text));
  made.compressed_by(*coding);
  made.number_as(taken_);
  return made;
}

Status GrpcJson::on_call_head(const Fields& fields) {
  has_head_ = true;
  reply_.on_head(fields);
  return {};
}

std::optional<Conversion> GrpcJson::next_response() {
  return reply_.next_conversion([this](std::string&& message, Coding coding) {
    return Conversion::to_json_frame(rules_, std::move(message), coding);
  });
}

std::optional<AnswerHead> GrpcJson::answer_head() {
  return has_head_ ? std::optional(AnswerHead{.status = 200, .content_type = content_type_}) : std::nullopt;
}

AnswerEnd GrpcJson::on_call_end(const CallEnd& end, bool is_head_sent) {
  const Status status = end.status.ok() ? reply_.check_end() : end.status;
  if (!is_head_sent) {
    return grpc_failure(status, content_type_);
  }
  AnswerEnd answer;
  add_grpc_status(status, answer.fields);
  answer.status = status;
  return answer;
}

}  // namespace transom
