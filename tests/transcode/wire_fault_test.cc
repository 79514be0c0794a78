#include "transcode/wire_fault.h"

#include <gtest/gtest.h>

#include "transcode/transcoding.h"

namespace transom {
namespace {

std::string fault_of(const std::string& wire) { return find_wire_fault(plan_of("kinds.All"), wire); }

uint32_t number_of(std::string_view field) { return plan_of("kinds.All").find_field(field)->number; }

TEST(WireFault, IsNoneInASoundMessage) {
  const Outcome sound = Transcoding().to_wire(R"({"fString": "x", "fSub": {"name": "é"}, "rString": ["a", "b"], "rInt32": [1, -1]})");
  ASSERT_TRUE(sound.status.ok()) << sound.status.message;
  EXPECT_EQ(fault_of(sound.bytes), "");
}

TEST(WireFault, NamesFieldAndByte) {
  const uint32_t sub = number_of("fSub");
  const uint32_t name = plan_of("kinds.Sub").find_field("name")->number;
  const uint32_t strs = number_of("rString");
  const uint32_t ints = number_of("rInt32");
  const struct {
    std::string wire;
    std::string fault;
  } cases[] = {
      {std::string("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", 11),
       "expected a field's tag, found the byte 0xff (at byte 0)"},
      {wire_tag(strs, 2) + "\x01" "a" + wire_tag(strs, 2) + "\x05" "ab",
       "rString[1]: expected 5 bytes, found 2 before the end (at byte " +
           std::to_string(2 * wire_tag(strs, 2).size() + 2) + ")"},
      {wire_field(sub, wire_field(name, "a\xff")),
       "fSub.name: expected UTF-8, found the byte 0xff (at byte " + std::to_string(wire_tag(sub, 2).size() + 4) + ")"},
      {wire_tag(1'000'000, 2) + std::string("\x81\x80\x80\x80\x80\x00x", 7),
       "field 1000000: expected a length of at most 5 bytes, found one of 6 (at byte " +
           std::to_string(wire_tag(1'000'000, 2).size()) + ")"},
      {wire_field(ints, std::string("\x01\x80", 2)),
       "rInt32: expected whole elements, found 1 bytes of another (at byte " +
           std::to_string(wire_tag(ints, 2).size() + 2) + ")"},
      {wire_tag(1'000'000, 5) + "abc",
       "field 1000000: expected 4 bytes, found 3 bytes before the end (at byte " +
           std::to_string(wire_tag(1'000'000, 5).size()) + ")"},
      {wire_tag(1'000'000, 0), "field 1000000: expected a varint of at most 10 bytes, found 0 bytes before the end (at byte " +
                                   std::to_string(wire_tag(1'000'000, 0).size()) + ")"},
  };
  for (const auto& each : cases) {
    EXPECT_EQ(fault_of(each.wire), each.fault);
  }
}

TEST(WireFault, NamesAWellKnownTypeWithoutAJsonForm) {
  const uint32_t time = number_of("wTimestamp");
  EXPECT_EQ(fault_of(wire_field(time, wire_field(1, uint64_t{1} << 62))).substr(0, 12), "wTimestamp: ");
}

}  // namespace
}  // namespace transom
