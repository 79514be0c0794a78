#include "http/web_socket_codec.h"

#include <gtest/gtest.h>

#include "http/web_socket_frames.h"

namespace transom {
namespace {

struct Heard {
  std::string messages;
  std::vector<WsFrame> replies;
  bool has_closed = false;
  uint16_t broken = 0;
};

Heard hear(std::string_view bytes, size_t step) {
  WebSocketCodec codec;
  std::string pieces;
  std::string replies;
  for (size_t at = 0; at < bytes.size(); at += step) {
    codec.receive(bytes.substr(at, step), pieces, replies);
  }
  return {ws_messages(pieces), ws_frames(replies), codec.has_closed(), codec.broken()};
}

// RFC 6455 section 5.7.
TEST(WebSocketCodecTest, TheStandardsExamples) {
  const std::string masked_hello("\x81\x85\x37\xfa\x21\x3d\x7f\x9f\x4d\x51\x58", 11);
  EXPECT_EQ(hear(masked_hello, 100).messages, "Hello|");
  const std::string masked_pong("\x8a\x85\x37\xfa\x21\x3d\x7f\x9f\x4d\x51\x58", 11);
  EXPECT_EQ(hear(masked_pong, 100).messages, "");
  std::string out;
  append_web_socket_message(false, "Hello", out);
  EXPECT_EQ(out, "\x81\x05Hello");
  out.clear();
  append_web_socket_message(true, std::string(256, 'x'), out);
  EXPECT_EQ(out.substr(0, 4), std::string("\x82\x7e\x01\x00", 4));
  EXPECT_EQ(out.size(), 4U + 256);
  out.clear();
  append_web_socket_message(true, std::string(65536, 'x'), out);
  EXPECT_EQ(out.substr(0, 10), std::string("\x82\x7f\x00\x00\x00\x00\x00\x01\x00\x00", 10));
  EXPECT_EQ(out.size(), 10U + 65536);
}

struct Case {
  const char* what;
  std::vector<WsFrame> frames;
  std::string messages;
  std::vector<WsFrame> replies = {};
  bool has_closed = false;
  uint16_t broken = 0;
};

WsFrame close_of(uint16_t code, std::string_view reason = "") { return {kWsClose, ws_close(code, reason)}; }

std::vector<Case> cases() {
  const std::string two_bytes = "\xc3\xa9";
  return {
      {"a message", {{kWsText, "a"}}, "a|"},
      {"a binary one", {{kWsBinary, "\xff"}}, "\xff(binary)|"},
      {"an empty one", {{kWsText, ""}}, "|"},
      {"126 bytes", {{kWsText, std::string(126, 'x')}}, std::string(126, 'x') + "|"},
      {"65536 bytes", {{kWsText, std::string(65536, 'x')}}, std::string(65536, 'x') + "|"},
      {"fragments", {{kWsText, "a", false}, {kWsContinuation, "b", false}, {kWsContinuation, "c"}}, "abc|"},
      {"empty fragments", {{kWsText, "", false}, {kWsContinuation, "", false}, {kWsContinuation, ""}}, "|"},
      {"a character in two fragments", {{kWsText, "\xc3", false}, {kWsContinuation, "\xa9"}}, two_bytes + "|"},
      {"a ping", {{kWsPing, "p"}}, "", {{kWsPong, "p"}}},
      {"a ping between fragments",
       {{kWsText, "a", false}, {kWsPing, "p"}, {kWsContinuation, "b"}, {kWsText, "c"}},
       "ab|c|",
       {{kWsPong, "p"}}},
      {"a pong that nobody asked for", {{kWsPong, "p"}, {kWsText, "a"}}, "a|"},
      {"a close", {close_of(1000, "bye"), {kWsText, "a"}}, "", {close_of(1000, "bye")}, true},
      {"a close without a code", {{kWsClose, ""}}, "", {{kWsClose, ""}}, true},
      {"a close with a code of one's own", {close_of(4999)}, "", {close_of(4999)}, true},
      {"a message, then a close", {{kWsText, "a"}, close_of(1001)}, "a|", {close_of(1001)}, true},

      {"no mask", {{kWsText, "a", true, 0, false}}, "", {close_of(1002)}, false, 1002},
      {"reserved bit 1", {{kWsText, "a", true, 4}}, "", {close_of(1002)}, false, 1002},
      {"reserved bit 2", {{kWsText, "a", true, 2}}, "", {close_of(1002)}, false, 1002},
      {"reserved bit 3", {{kWsPing, "a", true, 1}}, "", {close_of(1002)}, false, 1002},
      {"an unknown opcode", {{3, "a"}}, "", {close_of(1002)}, false, 1002},
      {"an unknown control opcode", {{11, "a"}}, "", {close_of(1002)}, false, 1002},
      {"a ping in fragments", {{kWsPing, "a", false}}, "", {close_of(1002)}, false, 1002},
      {"a ping that is too long", {{kWsPing, std::string(126, 'x')}}, "", {close_of(1002)}, false, 1002},
      {"a continuation of nothing", {{kWsContinuation, "a"}}, "", {close_of(1002)}, false, 1002},
      {"a message inside another", {{kWsText, "a", false}, {kWsText, "b"}}, "a+", {close_of(1002)}, false, 1002},
      {"a close with half a code", {{kWsClose, "\x03"}}, "", {close_of(1002)}, false, 1002},
      {"a close with 1005", {close_of(1005)}, "", {close_of(1002)}, false, 1002},
      {"a close with 999", {close_of(999)}, "", {close_of(1002)}, false, 1002},
      {"a close with 5000", {close_of(5000)}, "", {close_of(1002)}, false, 1002},
      {"a close whose reason is no text", {close_of(1000, "\xff")}, "", {close_of(1007)}, false, 1007},
      {"no UTF-8", {{kWsText, "\xc0\x80"}}, "", {close_of(1007)}, false, 1007},
      {"a surrogate", {{kWsText, "\xed\xa0\x80"}}, "", {close_of(1007)}, false, 1007},
      {"half a character", {{kWsText, "\xc3"}}, "", {close_of(1007)}, false, 1007},
  };
}

TEST(WebSocketCodecTest, HoldsToRfc6455HoweverTheBytesAreCut) {
  for (const Case& each : cases()) {
    std::string bytes;
    for (const WsFrame& frame : each.frames) {
      bytes += ws_frame(frame);
    }
    for (size_t step : {bytes.size(), size_t{7}, size_t{1}}) {
      if (step == 1 && bytes.size() > 1000) {
        continue;
      }
      SCOPED_TRACE(std::string(each.what) + ", in steps of " + std::to_string(step));
      const Heard heard = hear(bytes, step);
      // How far a message is told that is then broken depends on how its bytes were cut.
      if (each.broken == 0 || !each.messages.empty()) {
        EXPECT_EQ(heard.messages, each.messages);
      }
      EXPECT_EQ(heard.replies, each.replies);
      EXPECT_EQ(heard.has_closed, each.has_closed);
      EXPECT_EQ(heard.broken, each.broken);
    }
  }
}

// RFC 6455 section 5.2: the least number of bytes must be used, and the first bit of eight is 0.
TEST(WebSocketCodecTest, RefusesLengthsThatAreTooLongOrBelowZero) {
  const std::string cases[] = {
      std::string("\x81\xfe\x00\x05\x37\xfa\x21\x3d", 8),
      std::string("\x81\xff\x00\x00\x00\x00\x00\x00\x00\x05\x37\xfa\x21\x3d", 14),
      std::string("\x81\xff\x80\x00\x00\x00\x00\x00\x00\x00\x37\xfa\x21\x3d", 14),
  };
  for (const std::string& bytes : cases) {
    EXPECT_EQ(hear(bytes, 100).broken, 1002);
  }
}

TEST(WebSocketCodecTest, AFrameOfAnyLengthHoldsNothingBack) {
  WebSocketCodec codec;
  std::string pieces;
  std::string replies;
  codec.receive(std::string("\x82\xff\x7f\xff\xff\xff\xff\xff\xff\xff\0\0\0\0", 14) + "abc", pieces, replies);
  EXPECT_EQ(ws_messages(pieces), "abc+");
  EXPECT_FALSE(codec.has_ended());
}

TEST(WebSocketCodecTest, AReasonIsCutAtACharactersEnd) {
  struct Reason {
    std::string text;
    std::string told;
  };
  const std::string full(123, 'x');
  const Reason cases[] = {
      {"", ""}, {"gone", "gone"}, {full, full}, {full + "y", full}, {std::string(122, 'x') + "\xc3\xa9", std::string(122, 'x')},
  };
  for (const Reason& each : cases) {
    std::string out;
    append_web_socket_close(4005, each.text, out);
    const std::vector<WsFrame> frames = ws_frames(out);
    ASSERT_EQ(frames.size(), 1U);
    EXPECT_EQ(frames[0], close_of(4005, each.told));
  }
}

}  // namespace
}  // namespace transom
