// WebSocketCodec reads one client's WebSocket frames through wslay, which holds to RFC 6455: masks, reserved bits,
// opcodes, fragments, the length of control frames, UTF-8. It turns messages into pieces (base/message_piece.h) without
// holding them, and answers pings and closes by itself. The frames of a server are made by free functions. One thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

struct wslay_event_context;

namespace transom {

// RFC 6455 section 7.4.1.
inline constexpr uint16_t kCloseNormal = 1000;
inline constexpr uint16_t kCloseGoingAway = 1001;
inline constexpr uint16_t kCloseProtocolError = 1002;
inline constexpr uint16_t kCloseBadText = 1007;
inline constexpr size_t kCloseReasonBytesMax = 123;

class WebSocketCodec {
 public:
  WebSocketCodec();
  ~WebSocketCodec();
  WebSocketCodec(const WebSocketCodec&) = delete;
  WebSocketCodec& operator=(const WebSocketCodec&) = delete;

  // Appends what the client said to `pieces` and what it must be answered at once to `replies`: pongs, and a close when
  // has_ended(). Nothing is read behind that.
  void receive(std::string_view bytes, std::string& pieces, std::string& replies);

  // A close has come, or the client has broken a rule.
  bool has_ended() const { return has_closed_ || broken_ != 0; }
  bool has_closed() const { return has_closed_; }
  // The code of our close for a broken rule; 0: none is.
  uint16_t broken() const { return broken_; }

 private:
  struct Callbacks;
  void read(std::string& replies);
  void break_off(uint16_t code, std::string& replies);

  wslay_event_context* reader_ = nullptr;
  // Of the call to receive().
  std::string_view input_;
  std::string* pieces_ = nullptr;
  std::string* replies_ = nullptr;
  // Of the message that is being read.
  bool is_binary_ = false;
  // Of the frame.
  bool is_control_ = false;
  bool is_final_ = false;
  uint64_t frame_left_ = 0;

  bool has_closed_ = false;
  uint16_t wrong_close_ = 0;  // what is wrong with it, that wslay lets pass
  uint16_t broken_ = 0;
};

// A whole message in one frame.
void append_web_socket_message(bool is_binary, std::string_view message, std::string& out);
void append_web_socket_ping(std::string& out);
// reason: cut to what a close may carry, at a character's end.
void append_web_socket_close(uint16_t code, std::string_view reason, std::string& out);

}  // namespace transom
