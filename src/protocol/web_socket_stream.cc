#include "protocol/web_socket_stream.h"

#include <utility>

#include "base/message_piece.h"
#include "base/padded_text.h"
#include "protocol/error_body.h"

namespace transom {

WebSocketStream::WebSocketStream(const TranscodeRules& rules, RequestBindings bindings, const WebSocketKind& kind)
    : rules_(rules), bindings_(std::move(bindings)), kind_(kind), reply_(rules.limits->response_body) {}

Status WebSocketStream::on_request_bytes(std::string_view bytes) {
  for (MessagePiece piece; take_piece(bytes, piece);) {
    if (Status status = check_type(piece.is_binary, piece.is_last && piece.bytes.empty()); !status.ok()) {
      return status;
    }
    if (message_.size() + piece.bytes.size() > rules_.limits->request_body) {
      return client_error(Code::ResourceExhausted,
                          "the message is over the limit of " + std::to_string(rules_.limits->request_body) + " bytes",
                          413);
    }
    message_.append(piece.bytes);
    held_ += piece.bytes.size();
    if (piece.is_last) {
      if (Status status = take_message(piece.is_binary); !status.ok()) {
        return status;
      }
    }
  }
  return {};
}

Status WebSocketStream::check_type(bool is_binary, bool is_empty) const {
  if (is_json() == !is_binary || (!is_binary && is_empty && message_.empty())) {
    return {};
  }
  return client_error(Code::InvalidArgument,
                      is_json() ? "a binary frame, where messages are text frames of JSON"
                                : "a text frame, where messages are binary frames of protobuf",
                      415);
}

Status WebSocketStream::take_message(bool is_binary) {
  if (!is_binary && message_.empty()) {
    return end_messages();
  }
  if (has_said_end_) {
    return client_error(Code::InvalidArgument, "a message after the end of the client's messages");
  }
  if (has_ended_) {
    return client_error(Code::InvalidArgument, "a second message, where the method takes one");
  }
  has_begun_ = true;
  has_ended_ = !kind_.is_client_streaming;
  ready_.push_back(std::move(message_));
  message_.clear();
  return {};
}

// Who ends without a message gives an empty one to a method that takes one.
Status WebSocketStream::end_messages() {
  if (!kind_.is_client_streaming && !has_begun_) {
    has_begun_ = true;
    ready_.emplace_back();
  }
  has_ended_ = has_said_end_ = true;
  return {};
}

std::optional<Conversion> WebSocketStream::next_request() {
  if (ready_.empty()) {
    return std::nullopt;
  }
  std::string message = std::move(ready_.front());
  ready_.pop_front();
  held_ -= message.size();
  RequestBindings bindings = bindings_.take(rules_.stream != nullptr && rules_.stream->binds_every);
  if (!is_json()) {
    return Conversion::from_wire(rules_, std::move(bindings), std::move(message));
  }
  pad_for_json(message);
  return Conversion::from_json(rules_, std::move(bindings), std::move(message));
}

Status WebSocketStream::on_call_head(const Fields& fields) {
  reply_.on_head(fields);
  return {};
}

Status WebSocketStream::on_call_bytes(std::string_view bytes) {
  if (Status status = reply_.on_bytes(bytes); !status.ok()) {
    return status;
  }
  if (!kind_.is_server_streaming && reply_.begun() > 1) {
    return replica_error(Code::Internal, "the replica answered with more than one message");
  }
  return {};
}

std::optional<Conversion> WebSocketStream::next_response() {
  return reply_.next_conversion([this](std::string&& message, Coding coding) {
    return is_json() ? Conversion::to_json_frame(rules_, std::move(message), coding)
                     : Conversion::to_binary_piece(rules_, std::move(message), coding);
  });
}

std::optional<AnswerHead> WebSocketStream::answer_head() {
  return AnswerHead{.status = kind_.open_status, .content_type = is_json() ? "application/json" : "application/protobuf"};
}

Status WebSocketStream::check_answer() const {
  if (Status status = reply_.check_end(); !status.ok()) {
    return status;
  }
  if (!kind_.is_server_streaming && !has_answer_) {
    return replica_error(Code::Internal, "the replica answered without a message");
  }
  return {};
}

std::string WebSocketStream::error_frame(const Status& status) const {
  std::string frame;
  const std::string error = error_body(status, ErrorForm::Status, rules_.schema, *rules_.json);
  append_piece({.bytes = "{\"error\":" + error + "}"}, frame);
  return frame;
}

AnswerEnd WebSocketStream::on_call_end(const CallEnd& end, bool is_head_sent) {
  AnswerEnd answer;
  answer.status = end.status.ok() ? check_answer() : end.status;
  if (!answer.status.ok() && !is_head_sent) {
    return json_failure(answer.status, rules_.errors, rules_.schema, *rules_.json);
  }
  if (!is_head_sent) {
    answer.head = answer_head();
  }
  if (!answer.status.ok() && is_json()) {
    answer.bytes = error_frame(answer.status);
  }
  answer.has_length = false;
  answer.fields.add(kCloseCodeField, std::to_string(close_code_of(answer.status)));
  answer.fields.add(kCloseReasonField, answer.status.message);
  return answer;
}

}  // namespace transom
