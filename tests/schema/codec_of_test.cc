#include "schema/codec_of.h"

#include <gtest/gtest.h>

#include "schema/schema_loader.h"
#include "support/proto_text.h"

namespace transom {
namespace {

TEST(CodecOf, KnowsTheWellKnownTypes) {
  const std::vector<std::pair<const char*, Codec>> cases = {
      {"Timestamp", Codec::Timestamp},
      {"Duration", Codec::Duration},
      {"FieldMask", Codec::FieldMask},
      {"Struct", Codec::Struct},
      {"Value", Codec::Value},
      {"ListValue", Codec::ListValue},
      {"Any", Codec::Any},
      {"DoubleValue", Codec::Wrapper},
      {"FloatValue", Codec::Wrapper},
      {"Int64Value", Codec::Wrapper},
      {"UInt64Value", Codec::Wrapper},
      {"Int32Value", Codec::Wrapper},
      {"UInt32Value", Codec::Wrapper},
      {"BoolValue", Codec::Wrapper},
      {"StringValue", Codec::Wrapper},
      {"BytesValue", Codec::Wrapper},
      {"Empty", Codec::Plain},
      {"FileDescriptorProto", Codec::Plain},
  };
  for (const auto& [name, codec] : cases) {
    const MessagePlan* message = builtin_schema()->find_message(std::string("google.protobuf.") + name);
    ASSERT_NE(message, nullptr) << name;
    EXPECT_EQ(message->codec, codec) << name;
  }
}

TEST(CodecOf, TakesNoTypeForWellKnownByItsNameAlone) {
  SchemaPtr schema = schema_of(R"(
    syntax = "proto3"; package google.protobuf;
    message Timestamp { string text = 1; }
    message Duration { int64 seconds = 1; int32 nanos = 2; int32 more = 3; }
    message StringValue { repeated string value = 1; }
  )");
  for (const char* name : {"Timestamp", "Duration", "StringValue"}) {
    EXPECT_EQ(schema->find_message(std::string("google.protobuf.") + name)->codec, Codec::Plain) << name;
  }
}

}  // namespace
}  // namespace transom
