#include "base/message_piece.h"

#include "base/check.h"

namespace transom {
namespace {

constexpr unsigned char kBinary = 1;
constexpr unsigned char kMoreFollows = 2;

}  // namespace

void append_piece(const MessagePiece& piece, std::string& out) {
  check(piece.bytes.size() <= kPieceBytesMax, "a piece is below 4 GiB");
  out.push_back(static_cast<char>((piece.is_binary ? kBinary : 0) | (piece.is_last ? 0 : kMoreFollows)));
  for (int shift : {24, 16, 8, 0}) {
    out.push_back(static_cast<char>((piece.bytes.size() >> shift) & 0xff));
  }
  out.append(piece.bytes);
}

bool take_piece(std::string_view& bytes, MessagePiece& piece) {
  if (bytes.empty()) {
    return false;
  }
  check(bytes.size() >= kPiecePrefixBytes, "pieces come whole");
  const auto flags = static_cast<unsigned char>(bytes[0]);
  size_t length = 0;
  for (size_t i = 1; i < kPiecePrefixBytes; ++i) {
    length = length << 8 | static_cast<unsigned char>(bytes[i]);
  }
  bytes.remove_prefix(kPiecePrefixBytes);
  check(length <= bytes.size(), "pieces come whole");
  piece = {(flags & kBinary) != 0, (flags & kMoreFollows) == 0, bytes.substr(0, length)};
  bytes.remove_prefix(length);
  return true;
}

}  // namespace transom
