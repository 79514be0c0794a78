// How the messages of a WebSocket cross the seam between an Exchange and its handler: each piece of one is a byte of
// flags, four bytes of length (big-endian), and that many bytes. A whole message of text so looks like an uncompressed
// message of gRPC. Towards the handler a message comes in one piece or several, whole pieces in each call; towards the
// client each message is one piece. The end crosses as two fields. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace transom {

inline constexpr size_t kPiecePrefixBytes = 5;
inline constexpr size_t kPieceBytesMax = UINT32_MAX;

// Among the fields that end an exchange; without a code it is 1000 (RFC 6455 section 7.4).
inline constexpr std::string_view kCloseCodeField = "close-code";
inline constexpr std::string_view kCloseReasonField = "close-reason";

struct MessagePiece {
  bool is_binary = false;  // of the message it is part of
  bool is_last = true;     // nothing follows of that message
  std::string_view bytes;
};

// At most kPieceBytesMax bytes.
void append_piece(const MessagePiece& piece, std::string& out);

// Takes the first piece off the front; false when there is none. Half a piece is a bug of who wrote it.
bool take_piece(std::string_view& bytes, MessagePiece& piece);

}  // namespace transom
