#include "protocol/json_stream.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "protocol/demo_rules.h"
#include "protocol/json_request.h"

namespace transom {
namespace {

std::unique_ptr<RequestMessages> one_message(const TranscodeRules& rules) {
  return std::make_unique<JsonRequest>(rules, RequestBindings());
}

// What a client would read, and how the answer ended.
struct Played {
  uint16_t http_status = 0;
  std::string content_type;
  std::string bytes;
  bool is_cut = false;
};

Played play(JsonStream& stream, const std::string& replica_bytes, const Status& status) {
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

TEST(JsonStreamTest, EachFramingHasItsMarksAndItsEnd) {
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
    JsonStream whole(demo.rules, one_message(demo.rules), row.framing);
    Played played = play(whole, two, {});
    EXPECT_EQ(played.http_status, 200);
    EXPECT_EQ(played.content_type, row.content_type);
    EXPECT_EQ(played.bytes, row.messages);
    EXPECT_FALSE(played.is_cut);

    JsonStream none(demo.rules, one_message(demo.rules), row.framing);
    played = play(none, "", {});
    EXPECT_EQ(played.http_status, 200);
    EXPECT_EQ(played.content_type, row.content_type);
    EXPECT_EQ(played.bytes, row.none);

    JsonStream late(demo.rules, one_message(demo.rules), row.framing);
    played = play(late, two, kLate);
    EXPECT_EQ(played.http_status, 200);
    EXPECT_EQ(played.bytes, row.late_error);
    EXPECT_TRUE(played.is_cut);

    JsonStream early(demo.rules, one_message(demo.rules), row.framing);
    played = play(early, "", kLate);
    EXPECT_EQ(played.http_status, 500);
    EXPECT_EQ(played.content_type, "application/json");
    EXPECT_EQ(played.bytes, kLateBody);
    EXPECT_FALSE(played.is_cut);
  }
}

TEST(JsonStreamTest, AStreamThatEndsInsideAMessageIsCut) {
  const DemoRules demo;
  JsonStream stream(demo.rules, one_message(demo.rules), Framing::NdJson);
  const Played played = play(stream, framed(kHi) + framed(kHo).substr(0, 6), {});
  EXPECT_TRUE(played.is_cut);
  EXPECT_NE(played.bytes.find(R"({"error":{"code":13)"), std::string::npos);
}

TEST(JsonStreamTest, AStreamOfHttpBodiesTakesTheTypeOfTheFirst) {
  const DemoRules demo("google.api.HttpBody");
  JsonStream stream(demo.rules, one_message(demo.rules), Framing::EventStream);
  const Played played = play(stream, framed("\x0a\x03" "a/b\x12\x02xy") + framed("\x0a\x03" "c/d\x12\x02z!"), {});
  EXPECT_EQ(played.content_type, "a/b");
  EXPECT_EQ(played.bytes, "xyz!");
}

TEST(JsonStreamTest, EventsHaveTheIdThatTheirMessageNames) {
  DemoRules demo;
  StreamOptions options;
  options.event_id = "text";
  options.last_event = "[DONE]";
  demo.rules.stream = &options;
  JsonStream events(demo.rules, one_message(demo.rules), Framing::EventStream);
  const std::string broken = "\x0a\x03" "a\nb";
  EXPECT_EQ(play(events, framed(kHi) + framed("") + framed(broken), {}).bytes,
            "id: hi\ndata: {\"text\":\"hi\"}\n\ndata: {}\n\ndata: {\"text\":\"a\\nb\"}\n\ndata: [DONE]\n\n");
  EXPECT_EQ(events.keep_alive(), ":\n\n");
  JsonStream late(demo.rules, one_message(demo.rules), Framing::EventStream);
  EXPECT_EQ(play(late, framed(kHi), kLate).bytes,
            "id: hi\ndata: {\"text\":\"hi\"}\n\nevent: error\ndata: " + std::string(kLateBody) + "\n\n");
  JsonStream lines(demo.rules, one_message(demo.rules), Framing::NdJson);
  EXPECT_EQ(play(lines, framed(kHi), {}).bytes, "{\"text\":\"hi\"}\n");
  EXPECT_EQ(lines.keep_alive(), "");
}

TEST(JsonStreamTest, AMethodWithoutThatFieldHasNoIds) {
  DemoRules demo;
  StreamOptions options;
  options.event_id = "nothing.such";
  demo.rules.stream = &options;
  JsonStream events(demo.rules, one_message(demo.rules), Framing::EventStream);
  EXPECT_EQ(play(events, framed(kHi), {}).bytes, "data: {\"text\":\"hi\"}\n\n");
}

}  // namespace
}  // namespace transom
