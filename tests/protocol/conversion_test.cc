#include "protocol/conversion.h"

#include <gtest/gtest.h>

#include <string>

#include "base/padded_text.h"
#include "protocol/demo_rules.h"

namespace transom {
namespace {

std::string padded(std::string text) {
  pad_for_json(text);
  return text;
}

TEST(ConversionTest, JsonBecomesAFramedMessageAndBack) {
  const DemoRules demo;
  std::string out;
  ASSERT_TRUE(Conversion::from_json(demo.rules, {}, padded(R"({"text":"hi"})")).run(out, nullptr).ok());
  EXPECT_EQ(out, framed(kHi));
  out = "before ";
  ASSERT_TRUE(Conversion::to_json(demo.rules, kHi, Coding::Identity, "<", ">").run(out, nullptr).ok());
  EXPECT_EQ(out, R"(before <{"text":"hi"}>)");
}

TEST(ConversionTest, JsonMayStandInAFrame) {
  const DemoRules demo;
  std::string out = framed("{}");
  ASSERT_TRUE(Conversion::to_json_frame(demo.rules, kHi, Coding::Identity).run(out, nullptr).ok());
  EXPECT_EQ(out, framed("{}") + framed(R"({"text":"hi"})"));
}

TEST(ConversionTest, BytesGoThroughAsTheyAre) {
  std::string out;
  ASSERT_TRUE(Conversion::verbatim("abc").run(out, nullptr).ok());
  ASSERT_TRUE(Conversion::verbatim("def").run(out, nullptr).ok());
  EXPECT_EQ(out, "abcdef");
}

TEST(ConversionTest, AFailureFailsWhenItIsRun) {
  std::string out;
  EXPECT_EQ(Conversion::failure(replica_error(Code::DataLoss, "x")).run(out, nullptr).code, Code::DataLoss);
}

TEST(ConversionTest, BindingsStandBesideTheBody) {
  const DemoRules demo;
  const FieldPath count = *resolve_field_path(*demo.request.message, "count");
  RequestBindings bindings;
  bindings.bindings.push_back({.path = &count, .origin = Origin::Path, .text = "7", .map_key = {}, .name = "count"});
  std::string out;
  ASSERT_TRUE(Conversion::from_json(demo.rules, std::move(bindings), {}).run(out, nullptr).ok());
  EXPECT_EQ(out, framed("\x10\x07"));
}

TEST(ConversionTest, CompressedMessagesAreInflatedWithinTheBound) {
  DemoRules demo;
  std::string packed;
  gzip_bytes(kHi, packed);
  std::string out;
  ASSERT_TRUE(Conversion::to_json(demo.rules, packed, Coding::Gzip, {}, {}).run(out, nullptr).ok());
  EXPECT_EQ(out, R"({"text":"hi"})");

  const Status broken = Conversion::to_json(demo.rules, "not gzip", Coding::Gzip, {}, {}).run(out, nullptr);
  EXPECT_EQ(broken.code, Code::Internal);
  EXPECT_EQ(broken.fault, Fault::Replica);

  demo.limits.response_body = 3;
  const Status large = Conversion::to_json(demo.rules, packed, Coding::Gzip, {}, {}).run(out, nullptr);
  EXPECT_EQ(large.code, Code::Internal);
  EXPECT_EQ(large.fault, Fault::Proxy);
}

TEST(ConversionTest, AMessageForTheReplicaIsCompressedFromItsBoundOnIfItGetsShorter) {
  struct Case {
    std::string text;
    size_t at_least;
    bool is_compressed;
  };
  const std::string long_text(5000, 'x');
  for (const Case& c : std::vector<Case>{{long_text, 5003, true},  // tag and length take 3 bytes
                                         {long_text, 5004, false},
                                         {long_text, 0, true},
                                         {"hi", 0, false}}) {
    DemoRules demo;
    demo.rules.gzip_at_least = c.at_least;
    std::string out = "before";
    const std::string json = padded("{\"text\":\"" + c.text + "\"}");
    ASSERT_TRUE(Conversion::from_json(demo.rules, {}, json).run(out, nullptr).ok());
    GrpcDeframer deframer(size_t{1} << 20);
    ASSERT_TRUE(deframer.add(std::string_view(out).substr(6)).ok());
    GrpcFrame frame;
    ASSERT_TRUE(deframer.next(frame));
    EXPECT_FALSE(deframer.is_inside_message());
    EXPECT_EQ(frame.is_compressed, c.is_compressed) << c.text.size() << " " << c.at_least;
    std::string back;
    const Coding coding = c.is_compressed ? Coding::Gzip : Coding::Identity;
    ASSERT_TRUE(Conversion::to_json(demo.rules, frame.message, coding, {}, {}).run(back, nullptr).ok());
    EXPECT_EQ(back, "{\"text\":\"" + c.text + "\"}");
  }
}

TEST(ConversionTest, ACompressedMessageCountsAsWhatItInflatesTo) {
  const DemoRules demo;
  std::string packed;
  gzip_bytes(std::string(200'000, 'x'), packed);
  EXPECT_EQ(Conversion::to_json(demo.rules, packed, Coding::Gzip, {}, {}).input_bytes(), 200'000u);
  EXPECT_EQ(Conversion::to_json(demo.rules, packed, Coding::Identity, {}, {}).input_bytes(), packed.size());
}

TEST(ConversionTest, HttpBodyGoesThroughAsBytesBothWays) {
  const DemoRules demo("google.api.HttpBody");
  const std::string raw("\xff\x00raw", 5);
  std::string wire;
  ASSERT_TRUE(Conversion::from_http_body(demo.rules, {}, raw, {"image/png", ""}).run(wire, nullptr).ok());
  std::string out;
  Conversion back = Conversion::to_http_body(demo.rules, wire.substr(kGrpcPrefixBytes), Coding::Identity, true);
  ASSERT_TRUE(back.run(out, nullptr).ok());
  EXPECT_EQ(out, raw);
  EXPECT_EQ(back.content_type(), "image/png");

  Conversion untyped = Conversion::to_http_body(demo.rules, "", Coding::Identity, true);
  ASSERT_TRUE(untyped.run(out, nullptr).ok());
  EXPECT_EQ(untyped.content_type(), "application/octet-stream");
}

TEST(ConversionTest, AnHttpBodyOverTheMessageBoundIsTooLarge) {
  DemoRules demo("google.api.HttpBody");
  demo.limits.message = 10;
  std::string out;
  EXPECT_EQ(http_status_of(Conversion::from_http_body(demo.rules, {}, "0123456789", {}).run(out, nullptr)), 413);
}

}  // namespace
}  // namespace transom
