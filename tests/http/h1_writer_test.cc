#include "http/h1_writer.h"

#include <gtest/gtest.h>

#include "base/reason_phrase.h"

namespace transom {
namespace {

constexpr std::string_view kDate = "Sun, 06 Nov 1994 08:49:37 GMT";

struct Answer {
  bool is_http10 = false;
  bool is_head = false;
  uint16_t status = 200;
  int64_t length = -1;
  const char* body = "";
  bool ends = true;
  const char* trailer = "";
  bool close = false;
  bool keep_alive = false;
};

void give(H1Writer& writer, const Answer& answer) {
  writer.start(answer.is_http10, answer.is_head);
  ResponseHead head;
  head.status = answer.status;
  head.content_length = answer.length;
  writer.give_head(head, kDate);
  if (*answer.body != '\0') {
    writer.give_body(answer.body);
  }
  if (answer.ends) {
    Fields trailers;
    if (*answer.trailer != '\0') {
      trailers.add("x-after", answer.trailer);
    }
    writer.give_end(trailers);
  }
}

std::string produced(H1Writer& writer, const Answer& answer = {}, size_t max = 1000) {
  std::string out;
  writer.produce(out, max, answer.close, answer.keep_alive);
  return out;
}

TEST(H1WriterTest, FramesEachKindOfAnswer) {
  struct Case {
    const char* what;
    Answer answer;
    const char* text;  // after the status line and the date
    bool ends_by_close;
  };
  const Case cases[] = {
      {"whole at once", {.body = "abc"}, "content-length: 3\r\n\r\nabc", false},
      {"whole and empty", {}, "content-length: 0\r\n\r\n", false},
      {"known length", {.length = 3, .body = "ab", .ends = false}, "content-length: 3\r\n\r\nab", false},
      {"unknown length", {.body = "ab", .ends = false}, "transfer-encoding: chunked\r\n\r\n2\r\nab\r\n", false},
      {"nothing yet", {.ends = false}, "transfer-encoding: chunked\r\n\r\n", false},
      {"trailers",
       {.body = "ab", .trailer = "v"},
       "transfer-encoding: chunked\r\n\r\n2\r\nab\r\n0\r\nx-after: v\r\n\r\n",
       false},
      {"trailers in HTTP/1.0", {.is_http10 = true, .body = "ab", .trailer = "v"}, "content-length: 2\r\n\r\nab", false},
      {"HTTP/1.0 of unknown length",
       {.is_http10 = true, .body = "ab", .ends = false},
       "connection: close\r\n\r\nab",
       true},
      {"HTTP/1.0 kept alive",
       {.is_http10 = true, .body = "ab", .keep_alive = true},
       "content-length: 2\r\nconnection: keep-alive\r\n\r\nab",
       false},
      {"closing", {.body = "ab", .close = true}, "content-length: 2\r\nconnection: close\r\n\r\nab", false},
      {"HEAD", {.is_head = true, .body = "abc"}, "\r\n", false},
      {"HEAD with trailers", {.is_head = true, .trailer = "v"}, "\r\n", false},
      {"HEAD with a length", {.is_head = true, .length = 7}, "content-length: 7\r\n\r\n", false},
      {"204", {.status = 204, .body = "abc"}, "\r\n", false},
      {"304 with a length", {.status = 304, .length = 7}, "content-length: 7\r\n\r\n", false},
  };
  for (const Case& each : cases) {
    H1Writer writer(nullptr);
    give(writer, each.answer);
    std::string start = "HTTP/1.1 " + std::to_string(each.answer.status) + " " +
                        std::string(reason_phrase(each.answer.status)) + "\r\ndate: " + std::string(kDate) + "\r\n";
    EXPECT_EQ(produced(writer, each.answer), start + each.text) << each.what;
    EXPECT_EQ(writer.ends_by_close(), each.ends_by_close) << each.what;
    EXPECT_EQ(writer.is_done(), each.answer.ends) << each.what;
  }
}

TEST(H1WriterTest, ProducesNoMoreBodyThanAskedFor) {
  H1Writer writer(nullptr);
  give(writer, {.body = "abcdef", .ends = false});
  produced(writer, {}, 4);
  EXPECT_EQ(writer.buffered(), 2U);
  EXPECT_TRUE(writer.has_more());
  EXPECT_EQ(produced(writer, {}, 4), "2\r\nef\r\n");
  EXPECT_FALSE(writer.has_more());
  writer.give_end(Fields{});
  EXPECT_TRUE(writer.has_more());
  EXPECT_EQ(produced(writer), "0\r\n\r\n");
  EXPECT_TRUE(writer.is_done());
}

TEST(H1WriterTest, ACutAnswerKeepsItsBytesAndLosesItsEnd) {
  H1Writer writer(nullptr);
  give(writer, {.body = "ab", .ends = false});
  writer.cut();
  EXPECT_FALSE(writer.is_done());
  std::string out = produced(writer);
  EXPECT_TRUE(out.ends_with("2\r\nab\r\n")) << out;
  EXPECT_TRUE(writer.is_done());
  EXPECT_EQ(produced(writer), "");
}

TEST(H1WriterTest, AnAnswerCutBeforeItsHeadIsDoneAtOnce) {
  H1Writer writer(nullptr);
  writer.start(false, false);
  EXPECT_FALSE(writer.is_done());
  writer.cut();
  EXPECT_TRUE(writer.is_done());
}

TEST(H1WriterTest, OtherBytesThanTheLengthSaidBreakTheAnswer) {
  H1Writer few(nullptr);
  give(few, {.length = 3, .body = "ab"});
  EXPECT_TRUE(few.is_broken());
  EXPECT_TRUE(produced(few).ends_with("\r\n\r\nab"));
  H1Writer many(nullptr);
  give(many, {.length = 3, .body = "abcd"});
  EXPECT_TRUE(many.is_broken());
  EXPECT_TRUE(produced(many).ends_with("\r\n\r\nabc")) << "never more than was announced";
}

TEST(H1WriterTest, StartsAnew) {
  H1Writer writer(nullptr);
  give(writer, {.length = 3, .body = "ab"});
  give(writer, {.body = "new"});
  EXPECT_FALSE(writer.is_broken());
  EXPECT_TRUE(produced(writer).ends_with("content-length: 3\r\n\r\nnew"));
}

TEST(H1WriterTest, AValueCannotEndItsLine) {
  H1Writer writer(nullptr);
  writer.start(false, false);
  ResponseHead head;
  head.fields.add("a", std::string_view("b\r\nset-cookie: c\0", 17));
  writer.give_head(head, kDate);
  EXPECT_NE(produced(writer).find("a: b  set-cookie: c \r\n"), std::string::npos);
}

}  // namespace
}  // namespace transom
