// WebSocketStream: an RPC of any kind over a WebSocket, a frame for each message both ways, in the pieces of
// base/message_piece.h. The WebSocket is open before anything else is known, so every error is told by its close. A
// client ends its messages with an empty text frame, where the RPC takes more than one; path and query go with the first,
// or with every one where the route says so.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

#include "protocol/client_protocol.h"
#include "protocol/reply_reader.h"
#include "protocol/web_socket_form.h"

namespace transom {

struct WebSocketKind {
  WebSocketForm form = WebSocketForm::Json;
  bool is_client_streaming = false;
  bool is_server_streaming = false;
  uint16_t open_status = 101;  // 200 over HTTP/2
};

class WebSocketStream final : public ClientProtocol {
 public:
  // What the rules point to lives in the request's snapshot; Proto looks at the limits alone, unless there are bindings.
  WebSocketStream(const TranscodeRules& rules, RequestBindings bindings, const WebSocketKind& kind);

  Status on_body_head(const BodyHead&) override { return {}; }
  Status on_request_bytes(std::string_view bytes) override;
  Status on_request_end() override { return end_messages(); }
  std::optional<Conversion> next_request() override;
  bool is_request_done() const override { return has_ended_ && ready_.empty(); }
  bool begins_with_head() const override { return kind_.is_client_streaming; }
  size_t held_request_bytes() const override { return held_; }
  SlipSet slips() const override { return {}; }

  Status on_call_head(const Fields& fields) override;
  Status on_call_bytes(std::string_view bytes) override;
  std::optional<Conversion> next_response() override;
  void on_response_converted(const Conversion&) override { has_answer_ = true; }
  std::optional<AnswerHead> answer_head() override;
  size_t held_response_bytes() const override { return reply_.held_bytes(); }
  AnswerEnd on_call_end(const CallEnd& end, bool is_head_sent) override;

 private:
  Status take_message(bool is_binary);
  Status end_messages();
  Status check_type(bool is_binary, bool is_empty) const;
  Status check_answer() const;
  std::string error_frame(const Status& status) const;
  bool is_json() const { return kind_.form == WebSocketForm::Json; }

  const TranscodeRules rules_;
  RequestBindings bindings_;
  const WebSocketKind kind_;
  std::string message_;  // the one that is coming
  std::deque<std::string> ready_;
  size_t held_ = 0;      // bytes of all of them
  bool has_begun_ = false;  // a message is complete
  bool has_ended_ = false;  // no more will be taken
  bool has_said_end_ = false;  // nor may come
  ReplyReader reply_;
  bool has_answer_ = false;
};

}  // namespace transom
