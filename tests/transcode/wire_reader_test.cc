#include "transcode/wire_reader.h"

#include <gtest/gtest.h>

#include <limits>

#include "transcode/transcoding.h"

namespace transom {
namespace {

bool skips(const std::string& wire) {
  const char* at = wire.data();
  const char* end = at + wire.size();
  WireTag tag;
  return read_tag(at, end, tag) && skip_wire_value(at, end, tag, 3) && at == end;
}

TEST(WireReader, VarintsOfEveryLengthAreRead) {
  for (uint64_t value :
       {uint64_t{0}, uint64_t{127}, uint64_t{128}, uint64_t{1} << 35, std::numeric_limits<uint64_t>::max()}) {
    std::string wire = wire_varint(value);
    const char* at = wire.data();
    uint64_t read = 0;
    ASSERT_TRUE(read_varint(at, wire.data() + wire.size(), read));
    EXPECT_EQ(read, value);
    at = wire.data();
    EXPECT_FALSE(read_varint(at, wire.data() + wire.size() - 1, read)) << "cut off";
  }
  std::string endless(11, '\x80');
  const char* at = endless.data();
  uint64_t read = 0;
  EXPECT_FALSE(read_varint(at, at + endless.size(), read));
}

TEST(WireReader, ShortVarintsOfInt32AreReadAsTheOthersAre) {
  const std::string behind(16, '\xff');
  for (int bit = 0; bit < 32; ++bit) {
    for (int32_t value : {int32_t(1u << bit), int32_t((1u << bit) - 1), int32_t(~0u << bit)}) {
      const std::string wire = wire_varint(static_cast<uint64_t>(int64_t{value}));
      const std::string padded = wire + behind;
      const char* at = padded.data();
      uint32_t bits = 0;
      ASSERT_TRUE(read_int32_varint(at, bits)) << value;
      EXPECT_EQ(static_cast<int32_t>(bits), value);
      EXPECT_EQ(static_cast<size_t>(at - padded.data()), wire.size());
    }
  }
  for (const std::string& wire : {std::string(11, '\x80'), std::string(6, '\x80') + std::string(10, '\x01'),
                                  std::string(8, '\xff') + std::string(10, '\0')}) {
    const char* at = wire.data();
    uint32_t bits = 0;
    EXPECT_FALSE(read_int32_varint(at, bits));
    EXPECT_EQ(at, wire.data());
  }
}

// The last bytes of a message are read one by one, the others together.
TEST(WireReader, VarintsAreTheSameWithAndWithoutBytesBehindThem) {
  for (int bit = 0; bit < 64; ++bit) {
    for (uint64_t value : {uint64_t{1} << bit, (uint64_t{1} << bit) - 1, ~uint64_t{0} << bit}) {
      const std::string alone = wire_varint(value);
      for (const std::string& wire : {alone, alone + std::string(16, '\xff'), alone + std::string(16, '\0')}) {
        const char* at = wire.data();
        uint64_t read = 0;
        ASSERT_TRUE(read_varint(at, wire.data() + wire.size(), read));
        EXPECT_EQ(read, value);
        EXPECT_EQ(static_cast<size_t>(at - wire.data()), alone.size());
      }
    }
  }
  const std::string endless(32, '\x80');
  const char* at = endless.data();
  uint64_t read = 0;
  EXPECT_FALSE(read_varint(at, at + endless.size(), read));
}

TEST(WireReader, WellFormedValuesAreSkippedWhole) {
  for (const std::string& wire :
       {wire_field(1, 300), wire_field(2, "abc"), wire_tag(3, 1) + "12345678", wire_tag(4, 5) + "1234",
        wire_tag(5, 3) + wire_tag(5, 4), wire_tag(5, 3) + wire_field(1, "x") + wire_tag(5, 4),
        wire_tag(5, 3) + wire_tag(6, 3) + wire_tag(6, 4) + wire_tag(5, 4),
        wire_tag(2, 2) + std::string("\x81\x80\x80\x80\x00x", 6)}) {
    EXPECT_TRUE(skips(wire));
    EXPECT_FALSE(skips(wire.substr(0, wire.size() - 1)));
  }
}

TEST(WireReader, MalformedValuesAreTold) {
  std::string deep;
  for (int i = 0; i < 10; ++i) {
    deep += wire_tag(1, 3);
  }
  for (const std::string& wire :
       {std::string("\x00\x01", 2), wire_tag(1, 6) + "x", wire_tag(1, 7), wire_tag(1, 4),
        wire_tag(5, 3) + wire_tag(6, 4), wire_tag(2, 2) + wire_varint(std::numeric_limits<uint64_t>::max()),
        wire_varint(uint64_t{1} << 35) + "x", std::string("\x88\x80\x80\x80\x80\x00\x01", 7),
        wire_tag(2, 2) + std::string("\x81\x80\x80\x80\x80\x00x", 7), deep}) {
    EXPECT_FALSE(skips(wire));
  }
}

}  // namespace
}  // namespace transom
