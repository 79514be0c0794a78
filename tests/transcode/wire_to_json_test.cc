#include "transcode/wire_to_json.h"

#include <gtest/gtest.h>

#include "transcode/transcoding.h"

namespace transom {
namespace {

std::string body_of(const char* field, const std::string& wire) {
  ResponseShape shape;
  shape.message = &plan_of("kinds.All");
  shape.body_field = shape.message->find_field(field);
  JsonOptions options;
  std::string out;
  Status status = wire_to_json({shape, options, size_t{1} << 20}, wire, out);
  return status.ok() ? out : status.message;
}

TEST(WireToJson, ResponseBodyMayBeAnyField) {
  std::string wire = wire_field(3, 7) + wire_field(14, "s") + wire_field(17, wire_field(1, "n")) + wire_field(34, "a") +
                     wire_field(34, "b") + wire_field(41, wire_field(1, "k"));
  EXPECT_EQ(body_of("fInt32", wire), "7");
  EXPECT_EQ(body_of("fString", wire), "\"s\"");
  EXPECT_EQ(body_of("fSub", wire), R"({"name":"n"})");
  EXPECT_EQ(body_of("rString", wire), R"(["a","b"])");
  EXPECT_EQ(body_of("mString", wire), R"({"k":""})");
  EXPECT_EQ(body_of("rString", wire + wire_field(34, "c")), R"(["a","b","c"])");
  EXPECT_EQ(body_of("fInt32", wire + wire_field(3, 8)), "8");
  EXPECT_EQ(body_of("fSub", wire + wire_field(17, wire_field(2, 1))), R"({"name":"n","num":1})");
}

TEST(WireToJson, AResponseBodyThatIsAbsentIsItsDefault) {
  EXPECT_EQ(body_of("fInt32", ""), "0");
  EXPECT_EQ(body_of("fInt64", ""), "\"0\"");
  EXPECT_EQ(body_of("fString", ""), "\"\"");
  EXPECT_EQ(body_of("fColor", ""), "\"COLOR_NONE\"");
  EXPECT_EQ(body_of("fSub", ""), "{}");
  EXPECT_EQ(body_of("rString", ""), "[]");
  EXPECT_EQ(body_of("mString", ""), "{}");
  EXPECT_EQ(body_of("wStruct", ""), "{}");
  EXPECT_EQ(body_of("wTimestamp", ""), "null");
  EXPECT_EQ(body_of("fInt32", "\x08"), "the replica's message is not valid protobuf");
}

TEST(WireToJson, Fact59DetailsOfEveryKindAreShown) {
  auto any = [](const std::string& url, const std::string& value) {
    return wire_field(3, wire_field(1, url) + wire_field(2, value));
  };
  std::string status = wire_field(1, 5) + wire_field(2, "message") +
                       any("type.googleapis.com/google.rpc.ErrorInfo", wire_field(1, "WHY") + wire_field(2, "here")) +
                       any("t/no.Such", "\xff\xff") + any("t/google.rpc.ErrorInfo", "\x08");
  EXPECT_EQ(details_to_json(status, kinds_schema(), JsonOptions()),
            R"({"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"WHY","domain":"here"},)"
            R"({"@type":"t/no.Such","value":"//8="},{"@type":"t/google.rpc.ErrorInfo","value":"CA=="})");
  EXPECT_EQ(details_to_json("", kinds_schema(), JsonOptions()), "");
  EXPECT_EQ(details_to_json("\xff\xff\xff", kinds_schema(), JsonOptions()), "");
}

// Escapes make the text six times as long as the bytes, and more than was reserved for it.
TEST(WireToJson, DetailsThatGrowAreShownWhole) {
  const std::string controls(3000, '\x01');
  std::string escaped;
  for (size_t i = 0; i < controls.size(); ++i) {
    escaped += "\\u0001";
  }
  const std::string info = wire_field(1, controls) + wire_field(2, std::string(500, 'd'));
  const std::string status = wire_field(3, wire_field(1, "t/google.rpc.ErrorInfo") + wire_field(2, info));
  EXPECT_EQ(details_to_json(status, kinds_schema(), JsonOptions()),
            R"({"@type":"t/google.rpc.ErrorInfo","reason":")" + escaped + R"(","domain":")" + std::string(500, 'd') +
                R"("})");
}

// An Any's content is held to what other messages are held to; only errors are never lost for their details.
TEST(WireToJson, BrokenBytesOfAKnownTypeFailTheAnswerButNoError) {
  const std::string broken = wire_field(1, "t/kinds.Sub") + wire_field(2, "\x08");
  const Outcome answer = Transcoding().to_json(wire_field(87, broken));
  EXPECT_EQ(answer.status.code, Code::Internal);
  EXPECT_EQ(answer.status.message, "the replica's message is not valid protobuf");
  EXPECT_EQ(details_to_json(wire_field(3, broken), kinds_schema(), JsonOptions()),
            R"({"@type":"t/kinds.Sub","value":"CA=="})");
}

TEST(WireToJson, AnyTextBecomesAJsonString) {
  std::string out = "x";
  append_json_string("a\"\n\xff\xc3\xa9\xed", out);
  EXPECT_EQ(out, "x\"a\\\"\\n\xef\xbf\xbd\xc3\xa9\xef\xbf\xbd\"");
}

TEST(WireToJson, WhatOutHeldStays) {
  std::string out = "before";
  ResponseShape shape;
  shape.message = &plan_of("kinds.All");
  JsonOptions options;
  ASSERT_TRUE(wire_to_json({shape, options, 100}, wire_field(3, 1) + wire_field(3, 2), out).ok());
  EXPECT_EQ(out, R"(before{"fInt32":2})");
  EXPECT_FALSE(wire_to_json({shape, options, 100}, "\x08", out).ok());
  EXPECT_EQ(out, R"(before{"fInt32":2})");
}

}  // namespace
}  // namespace transom
