#include "transcode/oracle.h"

#include <gtest/gtest.h>

#include "transcode/transcoding.h"

namespace transom {
namespace {

constexpr uint32_t kRounds = 1500;

const Oracle& oracle() {
  static const Oracle made;
  return made;
}

std::string type_of(uint32_t seed) { return seed % 5 == 4 ? "kinds2.Old" : "kinds.All"; }

TEST(Oracle, ReadsOurJsonAsTheSameMessage) {
  for (uint32_t seed = 0; seed < kRounds; ++seed) {
    std::string type = type_of(seed);
    auto message = oracle().make(type);
    RandomFiller(seed).fill(*message, 3);
    keep_last_of_each_key(*message);
    Outcome json = Transcoding{.message = type}.to_json(message->SerializePartialAsString());
    ASSERT_TRUE(json.status.ok()) << seed << ": " << json.status.message << "\n" << message->DebugString();
    bool failed = false;
    std::string wire = oracle().to_wire(type, json.bytes, &failed);
    ASSERT_FALSE(failed) << seed << ": " << json.bytes;
    auto back = oracle().parse(type, wire);
    ASSERT_NE(back, nullptr) << seed;
    ASSERT_EQ(Oracle::difference(*message, *back), "") << seed << ": " << json.bytes;
  }
}

TEST(Oracle, WritesJsonThatWeReadAsTheSameMessage) {
  for (uint32_t seed = 0; seed < kRounds; ++seed) {
    std::string type = type_of(seed);
    auto message = oracle().make(type);
    RandomFiller(seed).fill(*message, 3);
    keep_last_of_each_key(*message);
    bool failed = false;
    std::string json = oracle().to_json(type, message->SerializePartialAsString(), &failed);
    ASSERT_FALSE(failed) << seed;
    Outcome wire = Transcoding{.message = type}.to_wire(json);
    ASSERT_TRUE(wire.status.ok()) << seed << ": " << wire.status.message << "\n" << json;
    auto back = oracle().parse(type, wire.bytes);
    ASSERT_NE(back, nullptr) << seed;
    ASSERT_EQ(Oracle::difference(*message, *back), "") << seed << ": " << json;
  }
}

TEST(Oracle, AgreesThatOurOwnRoundTripKeepsTheMessage) {
  for (uint32_t seed = 0; seed < kRounds; ++seed) {
    std::string type = type_of(seed);
    auto message = oracle().make(type);
    RandomFiller(seed).fill(*message, 4);
    keep_last_of_each_key(*message);
    Transcoding transcoding{.message = type};
    transcoding.options.preserve_proto_field_names = seed % 2 == 0;
    transcoding.options.always_print_enums_as_ints = seed % 3 == 0;
    transcoding.options.int64_as_number = seed % 5 == 0;
    transcoding.options.always_print_fields_with_no_presence = seed % 7 == 0;
    Outcome json = transcoding.to_json(message->SerializePartialAsString());
    ASSERT_TRUE(json.status.ok()) << seed << ": " << json.status.message;
    Outcome wire = transcoding.to_wire(json.bytes);
    ASSERT_TRUE(wire.status.ok()) << seed << ": " << wire.status.message << "\n" << json.bytes;
    auto back = oracle().parse(type, wire.bytes);
    ASSERT_NE(back, nullptr) << seed;
    ASSERT_EQ(Oracle::difference(*message, *back), "") << seed << ": " << json.bytes;
  }
}

// The wire of several messages, one after the other, is the wire of their merge.
TEST(Oracle, AgreesOnWireThatIsOutOfOrder) {
  for (uint32_t seed = 0; seed < kRounds; ++seed) {
    std::string type = type_of(seed);
    std::string wire;
    for (uint32_t part = 0; part < 3; ++part) {
      auto message = oracle().make(type);
      RandomFiller(seed * 3 + part).fill(*message, 3);
      wire += message->SerializePartialAsString();
    }
    auto merged = oracle().parse(type, wire);
    ASSERT_NE(merged, nullptr) << seed;
    Transcoding transcoding{.message = type};
    Outcome json = transcoding.to_json(wire);
    ASSERT_TRUE(json.status.ok()) << seed << ": " << json.status.message;
    Outcome again = transcoding.to_wire(json.bytes);
    ASSERT_TRUE(again.status.ok()) << seed << ": " << again.status.message << "\n" << json.bytes;
    auto back = oracle().parse(type, again.bytes);
    ASSERT_NE(back, nullptr) << seed;
    ASSERT_EQ(Oracle::difference(*merged, *back), "") << seed << ": " << json.bytes;
  }
}

// Truncated and flipped bytes are an answer or the replica's fault, never a crash.
TEST(Oracle, BrokenWireIsTheReplicasFault) {
  for (uint32_t seed = 0; seed < kRounds; ++seed) {
    auto message = oracle().make("kinds.All");
    RandomFiller filler(seed);
    filler.fill(*message, 2);
    std::string wire = message->SerializePartialAsString() + "\x08";
    for (uint32_t flips = filler.below(3); flips > 0; --flips) {
      wire[filler.below(static_cast<uint32_t>(wire.size()))] ^= static_cast<char>(1 << filler.below(8));
    }
    wire.resize(wire.size() - filler.below(2));
    Outcome json = Transcoding().to_json(wire);
    if (!json.status.ok()) {
      EXPECT_EQ(json.status.code, Code::Internal);
      EXPECT_EQ(json.status.fault, Fault::Replica);
      EXPECT_EQ(json.bytes, "");
    }
  }
}

}  // namespace
}  // namespace transom
