#include "protocol/grpc_pass_through.h"

#include <utility>

#include "protocol/grpc_message.h"

namespace transom {
namespace {

constexpr int kHeadTooLarge = 431;

std::optional<Conversion> take_all(std::string& bytes) {
  if (bytes.empty()) {
    return std::nullopt;
  }
  return Conversion::verbatim(std::exchange(bytes, std::string()));
}

}  // namespace

Status GrpcPassThrough::on_request_bytes(std::string_view bytes) {
  request_.append(bytes);
  return {};
}

Status GrpcPassThrough::on_request_end() {
  is_request_ended_ = true;
  return {};
}

std::optional<Conversion> GrpcPassThrough::next_request() { return take_all(request_); }

Status GrpcPassThrough::on_call_head(const Fields& /*fields*/) {
  has_head_ = true;
  return {};
}

Status GrpcPassThrough::on_call_bytes(std::string_view bytes) {
  response_.append(bytes);
  return {};
}

std::optional<Conversion> GrpcPassThrough::next_response() { return take_all(response_); }

std::optional<AnswerHead> GrpcPassThrough::answer_head() {
  if (!has_head_) {
    return std::nullopt;
  }
  return AnswerHead{.status = 200, .content_type = content_type_};
}

AnswerEnd GrpcPassThrough::on_call_end(const CallEnd& end, bool is_head_sent) {
  Status status = end.status;
  if (end.foreign_status == kHeadTooLarge) {
    status.code = Code::Unknown;  // as gRPC's clients take it who see it themselves (http-grpc-status-mapping.md)
  }
  if (!is_head_sent) {
    return grpc_failure(status, content_type_);
  }
  AnswerEnd answer;
  add_grpc_status(status, answer.fields);
  answer.status = std::move(status);
  return answer;
}

}  // namespace transom
