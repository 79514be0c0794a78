#include "transcode/print_well_known.h"

#include <gtest/gtest.h>

#include "transcode/transcoding.h"

namespace transom {
namespace {

std::string printed(const std::string& wire) {
  Outcome outcome = Transcoding().to_json(wire);
  return outcome.status.ok() ? outcome.bytes : outcome.status.message;
}

TEST(PrintWellKnown, Fact49AnyOfUnknownTypeIsKept) {
  EXPECT_EQ(printed(wire_field(87, wire_field(1, "x/no.Such") + wire_field(2, "\xff\xff"))),
            R"({"wAny":{"@type":"x/no.Such","value":"//8="}})");
  EXPECT_EQ(printed(wire_field(87, "")), R"({"wAny":{}})");
  EXPECT_EQ(printed(wire_field(87, wire_field(1, "x/kinds.Sub"))), R"({"wAny":{"@type":"x/kinds.Sub"}})");
  EXPECT_EQ(printed(wire_field(87, wire_field(1, "x/google.protobuf.Duration"))),
            R"({"wAny":{"@type":"x/google.protobuf.Duration","value":"0s"}})");
  EXPECT_EQ(printed(wire_field(87, wire_field(1, "x/kinds.Sub") + wire_field(2, "\x08"))),
            "the replica's message is not valid protobuf");
}

TEST(PrintWellKnown, ValuesThatHaveNoJsonAreRefused) {
  EXPECT_EQ(printed(wire_field(85, wire_tag(2, 1) + std::string("\0\0\0\0\0\0\xf0\x7f", 8))),
            "a google.protobuf.Value in the replica's message is not finite");
  EXPECT_EQ(printed(wire_field(83, wire_field(1, "fooBar"))),
            "a path of a field mask in the replica's message has no JSON form");
  EXPECT_EQ(printed(wire_field(81, wire_field(1, uint64_t{253402300800}))),
            "a timestamp in the replica's message is out of range");
  EXPECT_EQ(printed(wire_field(82, wire_field(1, 1) + wire_field(2, uint64_t(-1)))),
            "a duration in the replica's message is out of range");
}

TEST(PrintWellKnown, WhatIsEmptyHasItsOwnForm) {
  EXPECT_EQ(
      printed(wire_field(81, "") + wire_field(82, "") + wire_field(83, "") + wire_field(84, "") + wire_field(85, "") +
              wire_field(86, "") + wire_field(88, "") + wire_field(92, "") + wire_field(97, "")),
      R"({"wTimestamp":"1970-01-01T00:00:00Z","wDuration":"0s","wMask":"","wStruct":{},"wValue":null,"wList":[],"wEmpty":{},)"
      R"("wInt64":"0","wString":""})");
}

TEST(PrintWellKnown, TheLastKindOfAValueCounts) {
  EXPECT_EQ(printed(wire_field(85, wire_field(3, "a") + wire_field(4, 1))), R"({"wValue":true})");
  EXPECT_EQ(printed(wire_field(85, wire_field(3, "a")) + wire_field(85, wire_field(4, 1))), R"({"wValue":true})");
  EXPECT_EQ(printed(wire_field(97, wire_field(1, "a") + wire_field(1, "b"))), R"({"wString":"b"})");
}

}  // namespace
}  // namespace transom
