// JsonStream: one JSON body or a stream of them in, any number of messages out, each sent as soon as it is there: as
// lines (NDJSON), server-sent events, elements of one JSON array, or raw HttpBody bytes. The head leaves with the first
// message, so that an error before it is a plain error; one after it is told in band, and the answer is then cut.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "protocol/client_protocol.h"
#include "protocol/media_type.h"
#include "protocol/reply_reader.h"
#include "protocol/request_messages.h"

namespace transom {

class JsonStream final : public ClientProtocol {
 public:
  // The rules must outlive this. The framing becomes Raw where answers are HttpBody.
  JsonStream(const TranscodeRules& rules, std::unique_ptr<RequestMessages> request, Framing framing);

  Status on_body_head(const BodyHead& head) override { return request_->on_head(head); }
  Status on_request_bytes(std::string_view bytes) override { return request_->on_bytes(bytes); }
  Status on_request_end() override;
  std::optional<Conversion> next_request() override { return request_->next(); }
  bool is_request_done() const override { return request_->is_done(); }
  bool begins_with_head() const override { return request_->is_stream(); }
  size_t held_request_bytes() const override { return request_->held_bytes(); }
  SlipSet slips() const override { return request_->slips(); }

  Status on_call_head(const Fields& fields) override;
  Status on_call_bytes(std::string_view bytes) override { return reply_.on_bytes(bytes); }
  std::optional<Conversion> next_response() override;
  void on_response_converted(const Conversion& conversion) override;
  std::optional<AnswerHead> answer_head() override;
  std::string_view keep_alive() const override;
  size_t held_response_bytes() const override { return reply_.held_bytes(); }
  AnswerEnd on_call_end(const CallEnd& end, bool is_head_sent) override;
  // The head that GET would have, for HEAD: no call is made, and so the length is not known. It may outlive the
  // stream.
  AnswerEnd head_alone();

 private:
  Conversion convert(std::string&& message, Coding coding);
  std::string late_error(const Status& status) const;
  AnswerHead good_head() const;

  const TranscodeRules& rules_;
  const Framing framing_;
  const std::unique_ptr<RequestMessages> request_;
  ReplyReader reply_;
  FieldPath event_id_;           // empty: events have none
  std::string body_type_;        // of the first HttpBody
  Fields body_fields_;           // likewise
  bool is_first_taken_ = false;  // the first message's Conversion was handed out
  bool has_answer_ = false;      // and has run
};

}  // namespace transom
