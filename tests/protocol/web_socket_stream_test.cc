#include "protocol/web_socket_stream.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/message_piece.h"
#include "compress/gzip.h"
#include "protocol/demo_rules.h"
#include "schema/field_path.h"

namespace transom {
namespace {

std::string text(std::string_view json, bool is_last = true) {
  std::string bytes;
  append_piece({.is_last = is_last, .bytes = json}, bytes);
  return bytes;
}

std::string binary(std::string_view message) {
  std::string bytes;
  append_piece({.is_binary = true, .bytes = message}, bytes);
  return bytes;
}

constexpr WebSocketKind kUnary{};
constexpr WebSocketKind kServerStream{.is_server_streaming = true};
constexpr WebSocketKind kClientStream{.is_client_streaming = true};
constexpr WebSocketKind kBoth{.is_client_streaming = true, .is_server_streaming = true};
constexpr WebSocketKind kBothProto{
    .form = WebSocketForm::Proto, .is_client_streaming = true, .is_server_streaming = true};

// All messages for the replica, in their frames.
std::string messages_of(WebSocketStream& stream) {
  std::string out;
  while (std::optional<Conversion> next = stream.next_request()) {
    std::string message;
    EXPECT_TRUE(next->run(message, nullptr).ok());
    out += message;
  }
  return out;
}

// All messages for the client, in their pieces.
std::string answers_of(WebSocketStream& stream) {
  std::string out;
  while (std::optional<Conversion> next = stream.next_response()) {
    std::string bytes;
    EXPECT_TRUE(next->run(bytes, nullptr).ok());
    stream.on_response_converted(*next);
    out += bytes;
  }
  return out;
}

TEST(WebSocketStreamTest, AFrameIsAMessage) {
  const DemoRules demo;
  WebSocketStream stream(demo.rules, {}, kBoth);
  EXPECT_TRUE(stream.begins_with_head());
  EXPECT_TRUE(stream.on_request_bytes(text(R"({"text":"hi"})") + text(R"({"text":"ho"})")).ok());
  EXPECT_EQ(messages_of(stream), framed(kHi) + framed(kHo));
  EXPECT_FALSE(stream.is_request_done());
  EXPECT_EQ(stream.held_request_bytes(), 0U);
}

TEST(WebSocketStreamTest, AMessageInPiecesIsGathered) {
  const DemoRules demo;
  WebSocketStream stream(demo.rules, {}, kBoth);
  EXPECT_TRUE(stream.on_request_bytes(text(R"({"te)", false)).ok());
  EXPECT_FALSE(stream.next_request().has_value());
  EXPECT_EQ(stream.held_request_bytes(), 4U);
  EXPECT_TRUE(stream.on_request_bytes(text(R"(xt":)", false) + text(R"("hi"})")).ok());
  EXPECT_EQ(messages_of(stream), framed(kHi));
}

TEST(WebSocketStreamTest, AnEmptyTextEndsTheClientsMessages) {
  const DemoRules demo;
  for (const WebSocketKind& kind : {kClientStream, kBothProto}) {
    WebSocketStream stream(demo.rules, {}, kind);
    EXPECT_TRUE(stream.on_request_bytes(text("")).ok());
    EXPECT_EQ(messages_of(stream), "");
    EXPECT_TRUE(stream.is_request_done());
    const Status late = stream.on_request_bytes(kind.form == WebSocketForm::Json ? text("{}") : binary(kHi));
    EXPECT_EQ(late.code, Code::InvalidArgument);
  }
}

TEST(WebSocketStreamTest, WhereOneMessageIsTakenTheFirstIsTheRequest) {
  const DemoRules demo;
  for (const WebSocketKind& kind : {kUnary, kServerStream}) {
    WebSocketStream stream(demo.rules, {}, kind);
    EXPECT_FALSE(stream.begins_with_head());
    EXPECT_FALSE(stream.is_request_done());
    EXPECT_TRUE(stream.on_request_bytes(text(R"({"text":"hi"})")).ok());
    EXPECT_EQ(messages_of(stream), framed(kHi));
    EXPECT_TRUE(stream.is_request_done());
    EXPECT_TRUE(stream.on_request_bytes(text("")).ok()) << "an end may follow";
    EXPECT_EQ(stream.on_request_bytes(text("{}")).code, Code::InvalidArgument);
  }
}

TEST(WebSocketStreamTest, ASecondMessageIsTooMany) {
  const DemoRules demo;
  WebSocketStream stream(demo.rules, {}, kUnary);
  EXPECT_EQ(stream.on_request_bytes(text("{}") + text("{}")).code, Code::InvalidArgument);
}

TEST(WebSocketStreamTest, AnEndWithoutAMessageIsAnEmptyOneWhereOneIsTaken) {
  const DemoRules demo;
  WebSocketStream stream(demo.rules, {}, kUnary);
  EXPECT_TRUE(stream.on_request_bytes(text("")).ok());
  EXPECT_EQ(messages_of(stream), framed(""));
  EXPECT_TRUE(stream.is_request_done());
}

TEST(WebSocketStreamTest, FramesOfTheOtherTypeAreUnsupported) {
  const DemoRules demo;
  struct Case {
    WebSocketKind kind;
    std::string bytes;
  };
  const Case cases[] = {
      {kBoth, binary("{}")}, {kBoth, binary("")}, {kBothProto, text("{}")}, {kBothProto, text("{", false)}};
  for (const Case& each : cases) {
    WebSocketStream stream(demo.rules, {}, each.kind);
    const Status status = stream.on_request_bytes(each.bytes);
    EXPECT_EQ(status.http_status, 415);
    EXPECT_EQ(close_code_of(status), 1003);
  }
}

TEST(WebSocketStreamTest, AMessageOverTheLimitIsRefusedAsItGrows) {
  DemoRules demo;
  demo.limits.request_body = 10;
  WebSocketStream stream(demo.rules, {}, kBoth);
  EXPECT_TRUE(stream.on_request_bytes(text("1234567", false)).ok());
  EXPECT_TRUE(stream.on_request_bytes(text("890", false)).ok());
  const Status status = stream.on_request_bytes(text("x", false));
  EXPECT_EQ(status.http_status, 413);
  EXPECT_EQ(close_code_of(status), 1009);
}

TEST(WebSocketStreamTest, PathAndQueryGoWithTheFirstMessageOrWithEveryOne) {
  DemoRules demo;
  StreamOptions options;
  demo.rules.stream = &options;
  const FieldPath count = {demo.request.message->find_field("count")};
  for (const bool every : {false, true}) {
    for (const WebSocketKind& kind : {kBoth, kBothProto}) {
      options.binds_every = every;
      RequestBindings bindings;
      bindings.bindings.push_back({.path = &count, .origin = Origin::Path, .text = "7", .name = "count"});
      WebSocketStream stream(demo.rules, std::move(bindings), kind);
      const bool is_json = kind.form == WebSocketForm::Json;
      const std::string hi = is_json ? text(R"({"text":"hi"})") : binary(kHi);
      EXPECT_TRUE(stream.on_request_bytes(hi + hi).ok());
      EXPECT_EQ(messages_of(stream), framed(kHi + "\x10\x07") + framed(every ? kHi + "\x10\x07" : kHi));
    }
  }
}

TEST(WebSocketStreamTest, BinaryMessagesPassAsTheyAre) {
  const DemoRules demo;
  WebSocketStream stream(demo.rules, {}, kBothProto);
  const std::string odd("\xff\0\x01", 3);
  EXPECT_TRUE(stream.on_request_bytes(binary(odd) + binary("")).ok());
  EXPECT_EQ(messages_of(stream), framed(odd) + framed(""));
  EXPECT_FALSE(stream.is_request_done());
  EXPECT_TRUE(stream.on_call_bytes(framed(odd)).ok());
  EXPECT_EQ(answers_of(stream), binary(odd));
}

TEST(WebSocketStreamTest, WhatAReplicaCompressedIsTakenApart) {
  const DemoRules demo;
  std::string packed;
  gzip_bytes(kHi, packed);
  Fields head;
  head.add("grpc-encoding", "gzip");
  WebSocketStream proto(demo.rules, {}, kBothProto);
  EXPECT_TRUE(proto.on_call_head(head).ok());
  EXPECT_TRUE(proto.on_call_bytes(framed(packed, true)).ok());
  EXPECT_EQ(answers_of(proto), binary(kHi));
  WebSocketStream json(demo.rules, {}, kBoth);
  EXPECT_TRUE(json.on_call_head(head).ok());
  EXPECT_TRUE(json.on_call_bytes(framed(packed, true)).ok());
  EXPECT_EQ(answers_of(json), text(R"({"text":"hi"})"));
}

TEST(WebSocketStreamTest, IsOpenAtOnceAndAnswersAFrameForEachMessage) {
  const DemoRules demo;
  WebSocketStream stream(demo.rules, {}, kServerStream);
  ASSERT_TRUE(stream.answer_head().has_value());
  EXPECT_EQ(stream.answer_head()->status, 101);
  EXPECT_TRUE(stream.on_call_bytes(framed(kHi) + framed(kHo)).ok());
  EXPECT_EQ(answers_of(stream), text(R"({"text":"hi"})") + text(R"({"text":"ho"})"));
  const AnswerEnd end = stream.on_call_end(ended(), true);
  EXPECT_EQ(end.bytes, "");
  EXPECT_EQ(end.fields.find(kCloseCodeField), "1000");
  EXPECT_FALSE(end.abort);
}

TEST(WebSocketStreamTest, AnErrorIsAFrameAndAClose) {
  const DemoRules demo;
  WebSocketStream stream(demo.rules, {}, kServerStream);
  const AnswerEnd end = stream.on_call_end(ended(replica_error(Code::NotFound, "no model")), true);
  EXPECT_EQ(end.bytes, text(R"({"error":{"code":5,"message":"no model","details":[]}})"));
  EXPECT_EQ(end.fields.find(kCloseCodeField), "4005");
  EXPECT_EQ(end.fields.find(kCloseReasonField), "no model");
  EXPECT_EQ(end.status.code, Code::NotFound);
  WebSocketStream proto(demo.rules, {}, kBothProto);
  EXPECT_EQ(proto.on_call_end(ended(replica_error(Code::NotFound, "no model")), true).bytes, "");
}

TEST(WebSocketStreamTest, AnErrorBeforeItIsOpenIsAPlainAnswer) {
  const DemoRules demo;
  WebSocketStream stream(demo.rules, {}, kUnary);
  const AnswerEnd end = stream.on_call_end(ended(proxy_error(Code::Unavailable, "shed")), false);
  ASSERT_TRUE(end.head.has_value());
  EXPECT_EQ(end.head->status, 503);
  EXPECT_EQ(end.bytes, R"({"code":14,"message":"shed","details":[]})");
}

TEST(WebSocketStreamTest, AReplicaThatBreaksItsKindIsAnError) {
  const DemoRules demo;
  WebSocketStream two(demo.rules, {}, kUnary);
  EXPECT_EQ(two.on_call_bytes(framed(kHi) + framed(kHo)).code, Code::Internal);
  WebSocketStream none(demo.rules, {}, kClientStream);
  EXPECT_EQ(none.on_call_end(ended(), true).status.code, Code::Internal);
  WebSocketStream half(demo.rules, {}, kBoth);
  EXPECT_TRUE(half.on_call_bytes(framed(kHi).substr(0, 6)).ok());
  EXPECT_EQ(half.on_call_end(ended(), true).status.code, Code::Internal);
}

}  // namespace
}  // namespace transom
