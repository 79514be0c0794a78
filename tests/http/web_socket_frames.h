// A WebSocket client's frames for the tests of src/http, made and read by hand from RFC 6455 section 5.2, so that they
// may also be wrong.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/message_piece.h"

namespace transom {

inline constexpr uint8_t kWsContinuation = 0;
inline constexpr uint8_t kWsText = 1;
inline constexpr uint8_t kWsBinary = 2;
inline constexpr uint8_t kWsClose = 8;
inline constexpr uint8_t kWsPing = 9;
inline constexpr uint8_t kWsPong = 10;

struct WsFrame {
  uint8_t opcode = kWsText;
  std::string payload;
  bool is_final = true;
  uint8_t reserved = 0;
  bool is_masked = true;
  bool operator==(const WsFrame& other) const {
    return opcode == other.opcode && payload == other.payload && is_final == other.is_final;
  }
};

inline std::string ws_frame(const WsFrame& frame) {
  const unsigned char mask[4] = {0x37, 0xfa, 0x21, 0x3d};
  const unsigned char masked = frame.is_masked ? 0x80 : 0;
  std::string bytes;
  bytes.push_back(static_cast<char>((frame.is_final ? 0x80 : 0) | frame.reserved << 4 | frame.opcode));
  const uint64_t length = frame.payload.size();
  const int length_bytes = length < 126 ? 0 : length < 65536 ? 2 : 8;
  bytes.push_back(static_cast<char>(masked | (length_bytes == 0 ? length : length_bytes == 2 ? 126 : 127)));
  for (int i = length_bytes - 1; i >= 0; --i) {
    bytes.push_back(static_cast<char>(length >> (8 * i)));
  }
  if (!frame.is_masked) {
    return bytes + frame.payload;
  }
  bytes.append(reinterpret_cast<const char*>(mask), 4);
  for (size_t i = 0; i < frame.payload.size(); ++i) {
    bytes.push_back(static_cast<char>(frame.payload[i] ^ mask[i % 4]));
  }
  return bytes;
}
inline std::string ws_text(std::string_view text) { return ws_frame({kWsText, std::string(text)}); }
inline std::string ws_close(uint16_t code, std::string_view reason = "") {
  return std::string{static_cast<char>(code >> 8), static_cast<char>(code & 0xff)} + std::string(reason);
}

// What a server said; half a frame at the end is left out.
inline std::vector<WsFrame> ws_frames(std::string_view bytes) {
  std::vector<WsFrame> frames;
  while (bytes.size() >= 2) {
    const auto byte = [&](size_t at) { return static_cast<unsigned char>(bytes[at]); };
    WsFrame frame{static_cast<uint8_t>(byte(0) & 0xf), "", (byte(0) & 0x80) != 0,
                  static_cast<uint8_t>(byte(0) >> 4 & 7), (byte(1) & 0x80) != 0};
    uint64_t length = byte(1) & 0x7f;
    const size_t length_bytes = length == 126 ? 2 : length == 127 ? 8 : 0;
    if (bytes.size() < 2 + length_bytes) {
      break;
    }
    if (length_bytes > 0) {
      length = 0;
      for (size_t i = 0; i < length_bytes; ++i) {
        length = length << 8 | byte(2 + i);
      }
    }
    if (bytes.size() < 2 + length_bytes + length) {
      break;
    }
    frame.payload = bytes.substr(2 + length_bytes, length);
    frames.push_back(frame);
    bytes.remove_prefix(2 + length_bytes + length);
  }
  return frames;
}

// The pieces, the messages they make up joined by '|'; "+" ends one whose last piece is missing.
inline std::string ws_messages(std::string_view pieces) {
  std::string text;
  for (MessagePiece piece; take_piece(pieces, piece);) {
    text.append(piece.bytes).append(piece.is_last ? (piece.is_binary ? "(binary)|" : "|") : "");
  }
  return text.empty() || text.ends_with('|') ? text : text + "+";
}

inline std::string ws_piece(std::string_view text, bool is_binary = false) {
  std::string bytes;
  append_piece({is_binary, true, text}, bytes);
  return bytes;
}

}  // namespace transom
