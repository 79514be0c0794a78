// GrpcPassThrough: gRPC in, gRPC out. Messages are not parsed: bytes are passed on as they come in both directions, head
// and trailers keep their places, and a trailers-only answer stays one HEADERS frame. Our own failures are trailers with
// HTTP status 200, as the gRPC HTTP/2 protocol wants.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "protocol/client_protocol.h"

namespace transom {

class GrpcPassThrough final : public ClientProtocol {
 public:
  // content_type: the client's, which the answer has too.
  explicit GrpcPassThrough(std::string content_type) : content_type_(std::move(content_type)) {}

  Status on_body_head(const BodyHead& /*head*/) override { return {}; }
  Status on_request_bytes(std::string_view bytes) override;
  Status on_request_end() override;
  std::optional<Conversion> next_request() override;
  bool is_request_done() const override { return is_request_ended_ && request_.empty(); }
  bool begins_with_head() const override { return true; }
  size_t held_request_bytes() const override { return request_.size(); }
  SlipSet slips() const override { return {}; }

  Status on_call_head(const Fields& fields) override;
  Status on_call_bytes(std::string_view bytes) override;
  std::optional<Conversion> next_response() override;
  void on_response_converted(const Conversion& /*conversion*/) override {}
  std::optional<AnswerHead> answer_head() override;
  size_t held_response_bytes() const override { return response_.size(); }
  AnswerEnd on_call_end(const CallEnd& end, bool is_head_sent) override;

 private:
  std::string content_type_;
  std::string request_;
  std::string response_;
  bool is_request_ended_ = false;
  bool has_head_ = false;
};

}  // namespace transom
