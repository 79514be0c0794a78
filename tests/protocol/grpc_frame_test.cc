#include "protocol/grpc_frame.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace transom {
namespace {

// The prefix written by hand: flag, length in network order.
std::string frame(std::string_view message, char flag = 0) {
  std::string bytes(1, flag);
  for (int shift = 24; shift >= 0; shift -= 8) {
    bytes.push_back(static_cast<char>(message.size() >> shift));
  }
  return bytes.append(message);
}

std::vector<std::string> take_all(GrpcDeframer& deframer) {
  std::vector<std::string> messages;
  for (GrpcFrame taken; deframer.next(taken);) {
    messages.push_back((taken.is_compressed ? "z:" : "") + taken.message);
  }
  return messages;
}

TEST(GrpcFrameTest, ThePrefixHoldsTheLengthInNetworkOrder) {
  std::string out = "x";
  const size_t at = begin_grpc_frame(out);
  out.append(0x010203, 'm');
  end_grpc_frame(out, at);
  EXPECT_EQ(out.substr(0, 6), std::string("x\0\0\1\2\3", 6));
}

TEST(GrpcDeframerTest, MessagesComeOutHoweverTheBytesAreCut) {
  const std::string bytes = frame("one") + frame("") + frame(std::string(300, 'x'), 1) + frame("four");
  const std::vector<std::string> expected = {"one", "", "z:" + std::string(300, 'x'), "four"};
  for (size_t piece : {size_t{1}, size_t{2}, size_t{3}, size_t{7}, size_t{64}, bytes.size()}) {
    GrpcDeframer deframer(1000);
    std::vector<std::string> messages;
    for (size_t at = 0; at < bytes.size(); at += piece) {
      ASSERT_TRUE(deframer.add(std::string_view(bytes).substr(at, piece)).ok());
      for (std::string& message : take_all(deframer)) {
        messages.push_back(std::move(message));
      }
    }
    EXPECT_EQ(messages, expected) << piece;
    EXPECT_FALSE(deframer.is_inside_message());
    EXPECT_EQ(deframer.held_bytes(), 0u);
    EXPECT_EQ(deframer.begun(), 4u);
  }
}

TEST(GrpcDeframerTest, MessagesThatWaitComeOutInOrderWhateverTheirSizes) {
  std::vector<std::string> expected;
  std::string bytes;
  size_t held = 0;
  for (size_t i = 0; i < 3'000; ++i) {
    const size_t size = i % 97 == 0 ? 20'000 : i % 7 == 0 ? 2'000 : i * 31 % 1'100;
    const bool is_compressed = i % 5 == 0;
    const std::string message(size, static_cast<char>('a' + i % 26));
    bytes += frame(message, is_compressed ? 1 : 0);
    expected.push_back((is_compressed ? "z:" : "") + message);
    held += size + kGrpcPrefixBytes;
  }
  for (const size_t taken_every : {size_t{1}, size_t{2}, size_t{100}, expected.size()}) {
    GrpcDeframer deframer(20'000);
    std::vector<std::string> messages;
    GrpcFrame taken;
    for (size_t at = 0, cut = 0; at < bytes.size(); at += 1'000, ++cut) {
      ASSERT_TRUE(deframer.add(std::string_view(bytes).substr(at, 1'000)).ok());
      if (cut % taken_every == taken_every - 1 && deframer.next(taken)) {
        messages.push_back((taken.is_compressed ? "z:" : "") + taken.message);
      }
    }
    EXPECT_EQ(deframer.ready(), expected.size() - messages.size());
    if (messages.empty()) {
      EXPECT_EQ(deframer.held_bytes(), held);
    }
    for (std::string& message : take_all(deframer)) {
      messages.push_back(std::move(message));
    }
    EXPECT_TRUE(messages == expected) << taken_every;
    EXPECT_EQ(deframer.held_bytes(), 0u);
  }
}

TEST(GrpcDeframerTest, AnUnfinishedMessageIsSeen) {
  const std::string bytes = frame("abc");
  for (size_t size = 1; size < bytes.size(); ++size) {
    GrpcDeframer deframer(1000);
    ASSERT_TRUE(deframer.add(bytes.substr(0, size)).ok());
    EXPECT_TRUE(deframer.is_inside_message()) << size;
    EXPECT_EQ(deframer.ready(), 0u);
    EXPECT_EQ(deframer.held_bytes(), size);
  }
}

TEST(GrpcDeframerTest, AnUnknownFlagIsTheReplicasFault) {
  GrpcDeframer deframer(1000);
  const Status status = deframer.add(frame("abc", 2));
  EXPECT_EQ(status.code, Code::Internal);
  EXPECT_EQ(status.fault, Fault::Replica);
}

TEST(GrpcDeframerTest, AMessageOverTheBoundIsRefusedByItsPrefix) {
  GrpcDeframer deframer(3);
  EXPECT_TRUE(deframer.add(frame("abc")).ok());
  EXPECT_EQ(deframer.add(std::string("\0\xff\xff\xff\xff", 5)).code, Code::Internal);
}

}  // namespace
}  // namespace transom
