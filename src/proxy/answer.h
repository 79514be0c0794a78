// Answer is what a Relay says to its client, and what was said: the head once, bytes, and one end. Bytes that come before
// the head may leave wait here. A part of Relay; it touches the Exchange only to send.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/fields.h"
#include "base/status.h"
#include "http/exchange.h"
#include "protocol/client_protocol.h"
#include "proxy/cors.h"
#include "proxy/request_record.h"

namespace transom {

class Answer {
 public:
  // All must outlive this; cors: null where the listener has none.
  Answer(Exchange& exchange, const std::string& request_id, const Cors* cors)
      : exchange_(exchange), request_id_(request_id), cors_(cors) {}

  // Fields that go with the head, whichever head it will be.
  Fields& head_fields() { return head_fields_; }

  void send_head(const AnswerHead& head);
  // Sends the bytes, or keeps them for finish() while there is no head.
  void add(std::string&& bytes);
  // trailing: the replica's trailing metadata, fit to be sent.
  void finish(AnswerEnd&& end, const Fields& trailing);
  // 204 with Allow, to a preflight also with what CORS allows.
  void finish_options(std::string_view allow);
  // The exchange is gone: nothing can be said any more.
  void give_up() { is_finished_ = true; }

  bool is_head_sent() const { return is_head_sent_; }
  bool is_finished() const { return is_finished_; }
  size_t waiting_bytes() const { return waiting_.size(); }

  // Fills in the statuses; exchange_status: how the exchange ended.
  void describe(const Status& exchange_status, RequestRecord& record) const;

 private:
  void send_head(const AnswerHead& head, int64_t content_length, const Fields* trailers);
  void add_cors(Fields& fields) const;

  Exchange& exchange_;
  const std::string& request_id_;
  const Cors* const cors_;
  Fields head_fields_;
  std::string waiting_;
  bool is_head_sent_ = false;
  bool is_finished_ = false;
  bool is_cut_ = false;
  uint16_t http_status_ = 0;
  Status status_;
  std::string_view content_type_;
};

}  // namespace transom
