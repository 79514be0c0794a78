#include "http/web_socket_codec.h"

#include <wslay/wslay.h>

#include <algorithm>

#include "base/check.h"
#include "base/message_piece.h"
#include "base/utf8.h"

namespace transom {
namespace {

constexpr unsigned char kFinal = 0x80;
constexpr size_t kCloseCodeBytes = 2;
constexpr size_t kLengthInHead = 125;
constexpr unsigned char kTwoLengthBytes = 126;
constexpr unsigned char kEightLengthBytes = 127;

// RFC 6455 section 5.2; a server masks nothing.
void append_frame(unsigned char opcode, std::string_view payload, std::string& out) {
  const size_t length = payload.size();
  out.push_back(static_cast<char>(kFinal | opcode));
  int shift = 0;
  if (length <= kLengthInHead) {
    out.push_back(static_cast<char>(length));
  } else if (length <= UINT16_MAX) {
    out.push_back(static_cast<char>(kTwoLengthBytes));
    shift = 16;
  } else {
    out.push_back(static_cast<char>(kEightLengthBytes));
    shift = 64;
  }
  while (shift > 0) {
    shift -= 8;
    out.push_back(static_cast<char>((static_cast<uint64_t>(length) >> shift) & 0xff));
  }
  out.append(payload);
}

// The longest beginning of at most that many bytes that does not end inside a character.
std::string_view cut_text(std::string_view text, size_t bytes_max) {
  if (text.size() <= bytes_max) {
    return text;
  }
  size_t end = bytes_max;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) {
    --end;
  }
  return text.substr(0, end);
}

// The close code that a close's payload deserves, or 0. wslay takes half a code for none, and looks at the reason's text
// only where it came in one read with the code.
uint16_t fault_of_close(std::string_view payload) {
  if (payload.size() == 1) {
    return kCloseProtocolError;
  }
  return payload.empty() || is_valid_utf8(payload.substr(kCloseCodeBytes)) ? 0 : kCloseBadText;
}

}  // namespace

struct WebSocketCodec::Callbacks {
  static WebSocketCodec& self(void* user_data) { return *static_cast<WebSocketCodec*>(user_data); }

  static ssize_t read(wslay_event_context_ptr reader, uint8_t* to, size_t room, int, void* user_data) {
    std::string_view& input = self(user_data).input_;
    if (input.empty()) {
      wslay_event_set_error(reader, WSLAY_ERR_WOULDBLOCK);
      return -1;
    }
    const size_t size = input.copy(reinterpret_cast<char*>(to), room);
    input.remove_prefix(size);
    return static_cast<ssize_t>(size);
  }

  static ssize_t write(wslay_event_context_ptr, const uint8_t* bytes, size_t size, int, void* user_data) {
    self(user_data).replies_->append(reinterpret_cast<const char*>(bytes), size);
    return static_cast<ssize_t>(size);
  }

  static void on_frame_begin(wslay_event_context_ptr, const wslay_event_on_frame_recv_start_arg* frame,
                             void* user_data) {
    WebSocketCodec& codec = self(user_data);
    codec.is_control_ = wslay_is_ctrl_frame(frame->opcode) != 0;
    codec.is_final_ = frame->fin != 0;
    codec.frame_left_ = frame->payload_length;
    if (frame->opcode == WSLAY_TEXT_FRAME || frame->opcode == WSLAY_BINARY_FRAME) {
      codec.is_binary_ = frame->opcode == WSLAY_BINARY_FRAME;
    }
  }

  static void on_frame_bytes(wslay_event_context_ptr, const wslay_event_on_frame_recv_chunk_arg* chunk,
                             void* user_data) {
    WebSocketCodec& codec = self(user_data);
    codec.frame_left_ -= chunk->data_length;
    const bool is_last = codec.is_final_ && codec.frame_left_ == 0;
    // An empty piece says something only at the end of a message.
    if (!codec.is_control_ && (chunk->data_length > 0 || is_last)) {
      append_piece({codec.is_binary_, is_last, {reinterpret_cast<const char*>(chunk->data), chunk->data_length}},
                   *codec.pieces_);
    }
  }

  static void on_message(wslay_event_context_ptr, const wslay_event_on_msg_recv_arg* message, void* user_data) {
    if (message->opcode == WSLAY_CONNECTION_CLOSE) {
      self(user_data).has_closed_ = true;
      self(user_data).wrong_close_ = fault_of_close({reinterpret_cast<const char*>(message->msg), message->msg_length});
    }
  }

  static constexpr wslay_event_callbacks kAll = {.recv_callback = read,
                                                 .send_callback = write,
                                                 .genmask_callback = nullptr,
                                                 .on_frame_recv_start_callback = on_frame_begin,
                                                 .on_frame_recv_chunk_callback = on_frame_bytes,
                                                 .on_frame_recv_end_callback = nullptr,
                                                 .on_msg_recv_callback = on_message};
};

WebSocketCodec::WebSocketCodec() {
  check(wslay_event_context_server_init(&reader_, &Callbacks::kAll, this) == 0, "out of memory");
  wslay_event_config_set_no_buffering(reader_, 1);
  wslay_event_config_set_max_recv_msg_length(reader_, INT64_MAX);  // who takes the pieces counts them
}

WebSocketCodec::~WebSocketCodec() { wslay_event_context_free(reader_); }

void WebSocketCodec::break_off(uint16_t code, std::string& replies) {
  has_closed_ = false;
  broken_ = code;
  replies.clear();
  append_web_socket_close(code, {}, replies);
}

void WebSocketCodec::read(std::string& replies) {
  const bool is_malformed = wslay_event_recv(reader_) != 0;
  if (is_malformed || wrong_close_ != 0) {
    break_off(is_malformed ? kCloseProtocolError : wrong_close_, replies);
    return;
  }
  wslay_event_send(reader_);
  if (!has_closed_ && wslay_event_get_close_sent(reader_) != 0) {
    broken_ = wslay_event_get_status_code_sent(reader_);
  }
}

void WebSocketCodec::receive(std::string_view bytes, std::string& pieces, std::string& replies) {
  if (has_ended()) {
    return;
  }
  input_ = bytes;
  pieces_ = &pieces;
  std::string own;
  replies_ = &own;
  read(own);
  replies.append(own);
  input_ = {};
}

void append_web_socket_message(bool is_binary, std::string_view message, std::string& out) {
  append_frame(is_binary ? WSLAY_BINARY_FRAME : WSLAY_TEXT_FRAME, message, out);
}

void append_web_socket_ping(std::string& out) { append_frame(WSLAY_PING, {}, out); }

void append_web_socket_close(uint16_t code, std::string_view reason, std::string& out) {
  std::string payload = {static_cast<char>(code >> 8), static_cast<char>(code & 0xff)};
  payload.append(cut_text(reason, kCloseReasonBytesMax));
  append_frame(WSLAY_CONNECTION_CLOSE, payload, out);
}

}  // namespace transom
