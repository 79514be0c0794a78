#include "transcode/json_parse.h"

#include <gtest/gtest.h>

#include "transcode/transcoding.h"

namespace transom {
namespace {

TEST(JsonParse, FailuresAreTheClientsAndNameThePlace) {
  Outcome outcome = Transcoding().to_wire(R"({"rSub":[{},{},{},{"num":"x"}]})");
  EXPECT_EQ(outcome.status.code, Code::InvalidArgument);
  EXPECT_EQ(outcome.status.fault, Fault::Client);
  EXPECT_EQ(outcome.status.message, "rSub[3].num: expected a number, found a string (at byte 25)");
  EXPECT_EQ(outcome.bytes, "");
}

TEST(JsonParse, PathsOfHostileDepthStayShort) {
  std::string json;
  for (int i = 0; i < 95; ++i) {
    json += R"({"children":{")" + std::string(500, 'k') + R"(":)";
    if (i == 48) {
      break;
    }
  }
  std::string problem = Transcoding{.message = "kinds.Sub"}.problem(json + "1");
  EXPECT_NE(problem, "");
  EXPECT_LT(problem.size(), 600U);
}

TEST(JsonParse, OverTheBoundIs413ResourceExhausted) {
  Transcoding small;
  small.bytes_max = 100;
  EXPECT_EQ(small.to_wire(R"({"fString":")" + std::string(97, 'x') + "\"}").status.message, "");
  for (
      const std::string& json :
      {R"({"fString":")" + std::string(99, 'x') + "\"}", R"({"rDouble":[1,1,1,1,1,1,1,1,1,1,1,1,1]})" + std::string(),
       R"({"rString":["","","","","","","","","","","","","","","","","","","","","","","","","","","","","","","","","","","",""]})" +
           std::string()}) {
    Outcome outcome = small.to_wire(json);
    EXPECT_EQ(outcome.status.code, Code::ResourceExhausted) << json;
    EXPECT_EQ(http_status_of(outcome.status), 413) << json;
    EXPECT_EQ(outcome.bytes, "") << json;
  }
}

TEST(JsonParse, ACancelIsSeenInsideALongList) {
  std::string json = R"({"rFloat":[)" + std::string(100'000, ' ') + "1";
  for (int i = 0; i < 5000; ++i) {
    json += ",1";
  }
  json += "]}";
  std::atomic<bool> cancelled{true};
  RequestShape shape;
  shape.message = &plan_of("kinds.All");
  shape.body = BodyKind::Whole;
  JsonOptions options;
  std::string wire;
  Status status = json_to_wire({shape, {}, options, size_t{1} << 20, &cancelled}, json, wire);
  EXPECT_EQ(status.code, Code::Cancelled);
  EXPECT_EQ(wire, "");
}

TEST(JsonParse, TextThatIsNotUtf8IsRefused) {
  EXPECT_EQ(Transcoding().problem("{\"fString\":\"a\xff\"}"), "the body is not UTF-8 (at byte 13)");
  EXPECT_EQ(Transcoding().problem("\xef\xbb\xbf{}").substr(0, 18), "expected an object");
}

}  // namespace
}  // namespace transom
