#include "transcode/json_print.h"

#include <gtest/gtest.h>

#include "transcode/transcoding.h"

namespace transom {
namespace {

TEST(JsonPrint, WhatIsWrongWithTheMessageIsTheReplicasFault) {
  for (const std::string& wire :
       {std::string("\x08"), wire_field(14, "\xff"), wire_tag(3, 3), std::string("\x72\x05x")}) {
    Outcome outcome = Transcoding().to_json(wire);
    EXPECT_EQ(outcome.status.code, Code::Internal);
    EXPECT_EQ(outcome.status.fault, Fault::Replica);
    EXPECT_EQ(outcome.bytes, "");
  }
}

TEST(JsonPrint, OverTheBoundIsInternalAndTheProxysFault) {
  Transcoding small;
  small.bytes_max = 100;
  Outcome outcome = small.to_json(wire_field(14, std::string(1000, 'x')));
  EXPECT_EQ(outcome.status.code, Code::Internal);
  EXPECT_EQ(outcome.status.fault, Fault::Proxy);
  EXPECT_EQ(small.to_json(wire_field(14, std::string(86, 'x'))).bytes.size(), 100U);
  EXPECT_FALSE(small.to_json(wire_field(14, std::string(87, 'x'))).status.ok());
}

TEST(JsonPrint, Fact41DepthIsBoundedOutwardToo) {
  auto nested = [](int depth) {
    std::string wire;
    for (int i = 1; i < depth; ++i) {
      wire = wire_field(3, wire);
    }
    return wire;
  };
  Transcoding sub{.message = "kinds.Sub"};
  EXPECT_TRUE(sub.to_json(nested(100)).status.ok());
  Outcome deep = sub.to_json(nested(101));
  EXPECT_EQ(deep.status.code, Code::Internal);
  EXPECT_EQ(http_status_of(deep.status), 500);
  EXPECT_FALSE(sub.to_json(nested(5000)).status.ok());
}

TEST(JsonPrint, ACancelIsSeen) {
  std::atomic<bool> cancelled{true};
  ResponseShape shape;
  shape.message = &plan_of("kinds.All");
  JsonOptions options;
  std::string json;
  EXPECT_EQ(wire_to_json({shape, options, 1000, &cancelled}, "", json).code, Code::Cancelled);
}

}  // namespace
}  // namespace transom
