// GrpcJson: application/grpc+json, which is gRPC whose messages are JSON. Frames and trailers stay as they are in gRPC;
// each message is transcoded, whole, in both directions. All kinds of RPC. Our own failures are trailers too.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "protocol/client_protocol.h"
#include "protocol/grpc_frame.h"
#include "protocol/reply_reader.h"

namespace transom {

class GrpcJson final : public ClientProtocol {
 public:
  // The rules and encoding, the client's grpc-encoding ("" for none), must outlive this. content_type: the client's,
  // which the answer has too.
  GrpcJson(const TranscodeRules& rules, std::string content_type, std::string_view encoding);

  Status on_body_head(const BodyHead& /*head*/) override { return {}; }
  Status on_request_bytes(std::string_view bytes) override { return request_.add(bytes); }
  Status on_request_end() override;
  std::optional<Conversion> next_request() override;
  bool is_request_done() const override { return is_request_ended_ && request_.ready() == 0; }
  bool begins_with_head() const override { return true; }
  size_t held_request_bytes() const override { return request_.held_bytes(); }
  SlipSet slips() const override { return {}; }

  Status on_call_head(const Fields& fields) override;
  Status on_call_bytes(std::string_view bytes) override { return reply_.on_bytes(bytes); }
  std::optional<Conversion> next_response() override;
  void on_response_converted(const Conversion& /*conversion*/) override {}
  std::optional<AnswerHead> answer_head() override;
  size_t held_response_bytes() const override { return reply_.held_bytes(); }
  AnswerEnd on_call_end(const CallEnd& end, bool is_head_sent) override;

 private:
  const TranscodeRules& rules_;
  const std::string content_type_;
  const std::string_view encoding_;
  GrpcDeframer request_;
  uint64_t taken_ = 0;
  ReplyReader reply_;
  bool is_request_ended_ = false;
  bool has_head_ = false;
};

}  // namespace transom
