#include "base/message_piece.h"

#include <gtest/gtest.h>

#include <vector>

namespace transom {
namespace {

TEST(MessagePieceTest, PiecesComeBackAsTheyWereAppended) {
  const std::string large(70'000, 'x');
  const std::vector<MessagePiece> pieces = {
      {false, true, "{}"}, {true, true, std::string_view("\0\1", 2)}, {false, false, large}, {false, true, ""}};
  std::string bytes;
  for (const MessagePiece& piece : pieces) {
    append_piece(piece, bytes);
  }
  std::string_view left = bytes;
  for (const MessagePiece& expected : pieces) {
    MessagePiece piece;
    ASSERT_TRUE(take_piece(left, piece));
    EXPECT_EQ(piece.is_binary, expected.is_binary);
    EXPECT_EQ(piece.is_last, expected.is_last);
    EXPECT_EQ(piece.bytes, expected.bytes);
  }
  MessagePiece none;
  EXPECT_FALSE(take_piece(left, none));
}

// https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md: Compressed-Flag, Message-Length, Message.
TEST(MessagePieceTest, AWholeTextIsFramedAsAMessageOfGrpcIs) {
  std::string bytes;
  append_piece({false, true, "hey"}, bytes);
  EXPECT_EQ(bytes, std::string("\0\0\0\0\3hey", 8));
}

TEST(MessagePieceTest, HalfAPieceIsABug) {
  std::string bytes;
  append_piece({false, true, "hey"}, bytes);
  MessagePiece piece;
  for (size_t cut : {size_t{1}, size_t{4}, size_t{7}}) {
    std::string_view half = std::string_view(bytes).substr(0, cut);
    EXPECT_DEATH(take_piece(half, piece), "whole") << cut;
  }
}

}  // namespace
}  // namespace transom
