#include "transcode/wire_writer.h"

#include <gtest/gtest.h>

#include "transcode/transcoding.h"

namespace transom {
namespace {

// depth messages in one another, each with a string of that many bytes before and after its child.
void write_nested(WireWriter& out, int depth, size_t bytes) {
  std::string text(bytes, 'x');
  for (int side = 0; side < 2; ++side) {
    ASSERT_TRUE(out.reserve(bytes + 32));
    out.byte(0x0a);
    out.varint(bytes);
    out.bytes(text);
    if (side == 0 && depth > 0) {
      ASSERT_TRUE(out.reserve(8));
      out.byte(0x12);
      size_t mark = out.begin();
      write_nested(out, depth - 1, bytes);
      out.end(mark);
    }
  }
}

std::string expected_nested(int depth, size_t bytes) {
  std::string text = wire_field(1, std::string(bytes, 'x'));
  return depth == 0 ? text + text : text + wire_field(2, expected_nested(depth - 1, bytes)) + text;
}

TEST(WireWriter, LengthsOfEverySizeAreRightAtEveryDepth) {
  for (int depth : {0, 1, 2, 5, 40}) {
    for (size_t bytes :
         {size_t{0}, size_t{1}, size_t{50}, size_t{61}, size_t{126}, size_t{127}, size_t{128}, size_t{20'000}}) {
      std::string wire = "before";
      WireWriter out(wire, 64 << 20, 0);
      write_nested(out, depth, bytes);
      ASSERT_TRUE(out.finish());
      EXPECT_EQ(wire, "before" + expected_nested(depth, bytes)) << depth << " " << bytes;
    }
  }
}

TEST(WireWriter, TheBoundHoldsToTheByte) {
  size_t bytes = expected_nested(3, 100).size();
  for (size_t max : {bytes - 1, bytes}) {
    std::string wire = "before";
    WireWriter out(wire, max, 0);
    write_nested(out, 3, 100);
    EXPECT_EQ(out.finish(), max == bytes);
    EXPECT_EQ(wire.size(), 6 + (max == bytes ? bytes : 0));
  }
}

TEST(WireWriter, RestoreTakesBackWhatWasWritten) {
  std::string wire;
  WireWriter out(wire, 1 << 20, 0);
  write_nested(out, 1, 200);
  WireWriter::Saved saved = out.save();
  write_nested(out, 3, 300);
  ASSERT_TRUE(out.reserve(8));
  out.byte(0x12);
  out.begin();
  out.restore(saved);
  write_nested(out, 1, 5);
  ASSERT_TRUE(out.finish());
  EXPECT_EQ(wire, expected_nested(1, 200) + expected_nested(1, 5));
}

TEST(WireWriter, EraseTakesOutWhatHasEnded) {
  std::string wire;
  WireWriter out(wire, 1 << 20, 0);
  ASSERT_TRUE(out.reserve(8));
  out.byte(0x12);
  size_t mark = out.begin();
  write_nested(out, 2, 200);
  size_t from = out.position();
  write_nested(out, 3, 300);
  size_t to = out.position();
  write_nested(out, 2, 150);
  out.erase(from, to);
  out.end(mark);
  ASSERT_TRUE(out.finish());
  EXPECT_EQ(wire, wire_field(2, expected_nested(2, 200) + expected_nested(2, 150)));
}

TEST(WireWriter, VarintsAreTheSameWithoutALoop) {
  for (int bit = 0; bit < 64; ++bit) {
    for (uint64_t value : {uint64_t{1} << bit, (uint64_t{1} << bit) - 1, ~uint64_t{0} << bit}) {
      char text[kVarintBytesMax];
      const char* end = write_varint_wide(text, value);
      EXPECT_EQ(std::string(text, static_cast<size_t>(end - text)), wire_varint(value)) << value;
    }
  }
}

}  // namespace
}  // namespace transom
