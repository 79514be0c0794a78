#include "protocol/json_server_stream.h"

#include <gtest/gtest.h>

#include <string>

#include "protocol/demo_rules.h"

namespace transom {
namespace {

// What a client would read, and how the answer ended.
struct Played {
  uint16_t http_status = 0;
  std::string content_type;
  std::string bytes;
  bool is_cut = false;
};

Played play(JsonServerStream& stream, const std::string& replica_bytes, const Status& status) {
  Played played;
  bool is_head_sent = false;
  Status failure = stream.on_call_bytes(replica_bytes);
  while (std::optional<Conversion> next = stream.next_response()) {
    EXPECT_TRUE(next->run(played.bytes, nullptr).ok());
    stream.on_response_converted(*next);
    if (!is_head_sent) {
      const std::optional<AnswerHead> head = stream.answer_head();
      EXPECT_TRUE(head.has_value());
      played.http_status = head->status;
      played.content_type = head->content_type;
      is_head_sent = true;
    }
  }
  const AnswerEnd end = stream.on_call_end(ended(failure.ok() ? status : failure), is_head_sent);
  EXPECT_EQ(end.head.has_value(), !is_head_sent);
  if (end.head.has_value()) {
    played.http_status = end.head->status;
    played.content_type = end.head->content_type;
  }
  played.bytes += end.bytes;
  played.is_cut = end.abort;
  return played;
}

const Status kLate = replica_error(Code::DataLoss, "lost");
constexpr const char* kLateBody = R"({"code":15,"message":"lost","details":[]})";

TEST(JsonServerStreamTest, EachFramingHasItsMarksAndItsEnd) {
  const std::string two = framed(kHi) + framed(kHo);
  const struct {
    Framing framing;
    const char* content_type;
    std::string messages;
    std::string none;
    std::string late_error;
  } cases[] = {
      {Framing::NdJson, "application/x-ndjson", "{\"text\":\"hi\"}\n{\"text\":\"ho\"}\n", "",
       "{\"text\":\"hi\"}\n{\"text\":\"ho\"}\n{\"error\":" + std::string(kLateBody) + "}\n"},
      {Framing::EventStream, "text/event-stream", "data: {\"text\":\"hi\"}\n\ndata: {\"text\":\"ho\"}\n\n", "",
       "data: {\"text\":\"hi\"}\n\ndata: {\"text\":\"ho\"}\n\nevent: error\ndata: " + std::string(kLateBody) + "\n\n"},
      {Framing::Array, "application/json", "[{\"text\":\"hi\"},{\"text\":\"ho\"}]", "[]",
       "[{\"text\":\"hi\"},{\"text\":\"ho\"},{\"error\":" + std::string(kLateBody) + "}]"},
  };
  const DemoRules demo;
  for (const auto& row : cases) {
    JsonServerStream whole(demo.rules, {}, row.framing);
    Played played = play(whole, two, {});
    EXPECT_EQ(played.http_status, 200);
    EXPECT_EQ(played.content_type, row.content_type);
    EXPECT_EQ(played.bytes, row.messages);
    EXPECT_FALSE(played.is_cut);

    JsonServerStream none(demo.rules, {}, row.framing);
    played = play(none, "", {});
    EXPECT_EQ(played.http_status, 200);
    EXPECT_EQ(played.content_type, row.content_type);
    EXPECT_EQ(played.bytes, row.none);

    JsonServerStream late(demo.rules, {}, row.framing);
    played = play(late, two, kLate);
    EXPECT_EQ(played.http_status, 200);
    EXPECT_EQ(played.bytes, row.late_error);
    EXPECT_TRUE(played.is_cut);

    JsonServerStream early(demo.rules, {}, row.framing);
    played = play(early, "", kLate);
    EXPECT_EQ(played.http_status, 500);
    EXPECT_EQ(played.content_type, "application/json");
    EXPECT_EQ(played.bytes, kLateBody);
    EXPECT_FALSE(played.is_cut);
  }
}

TEST(JsonServerStreamTest, AStreamThatEndsInsideAMessageIsCut) {
  const DemoRules demo;
  JsonServerStream stream(demo.rules, {}, Framing::NdJson);
  const Played played = play(stream, framed(kHi) + framed(kHo).substr(0, 6), {});
  EXPECT_TRUE(played.is_cut);
  EXPECT_NE(played.bytes.find(R"({"error":{"code":13)"), std::string::npos);
}

TEST(JsonServerStreamTest, AStreamOfHttpBodiesTakesTheTypeOfTheFirst) {
  const DemoRules demo("google.api.HttpBody");
  JsonServerStream stream(demo.rules, {}, Framing::EventStream);
  const Played played = play(stream, framed("\x0a\x03" "a/b\x12\x02xy") + framed("\x0a\x03" "c/d\x12\x02z!"), {});
  EXPECT_EQ(played.content_type, "a/b");
  EXPECT_EQ(played.bytes, "xyz!");
}

}  // namespace
}  // namespace transom
