// JsonUnary: one JSON body or a stream of them in, one JSON body out. The answer is converted as soon as its message is there, but leaves
// only when the call has ended well, because a call's status comes last.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "protocol/client_protocol.h"
#include "protocol/reply_reader.h"
#include "protocol/request_messages.h"

namespace transom {

class JsonUnary final : public ClientProtocol {
 public:
  // The rules must outlive this.
  JsonUnary(const TranscodeRules& rules, std::unique_ptr<RequestMessages> request);

  Status on_body_head(const BodyHead& head) override { return request_->on_head(head); }
  Status on_request_bytes(std::string_view bytes) override { return request_->on_bytes(bytes); }
  Status on_request_end() override;
  std::optional<Conversion> next_request() override { return request_->next(); }
  bool is_request_done() const override { return request_->is_done(); }
  bool begins_with_head() const override { return request_->is_stream(); }
  size_t held_request_bytes() const override { return request_->held_bytes(); }
  SlipSet slips() const override { return request_->slips(); }

  Status on_call_head(const Fields& fields) override;
  Status on_call_bytes(std::string_view bytes) override;
  std::optional<Conversion> next_response() override;
  void on_response_converted(const Conversion& conversion) override;
  std::optional<AnswerHead> answer_head() override { return std::nullopt; }
  size_t held_response_bytes() const override { return reply_.held_bytes(); }
  AnswerEnd on_call_end(const CallEnd& end, bool is_head_sent) override;

 private:
  Status check_answer() const;

  const TranscodeRules& rules_;
  const std::unique_ptr<RequestMessages> request_;
  ReplyReader reply_;
  std::string body_type_;  // of an HttpBody
  Fields body_fields_;     // likewise
  bool has_answer_ = false;
};

}  // namespace transom
