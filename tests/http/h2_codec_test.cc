#include "http/h2_codec.h"

#include "http/h2_exchange.h"
#include "http/h2_session.h"
#include "http/h2_test_client.h"

namespace transom {
namespace {

class QuietOwner final : public H2ExchangeOwner {
 public:
  void on_answer_changed(H2Exchange&) override {}
  void on_body_consumed(H2Exchange&, size_t) override {}
};

class NotedEvents final : public H2Events {
 public:
  bool on_control_frame() override { return ++control_frames <= control_frames_max; }
  H2Exchange& on_request_begin(int32_t stream) override {
    exchange = std::make_unique<H2Exchange>(owner, loop, stream, 65536, nullptr);
    return *exchange;
  }
  bool on_field(H2Exchange&, bool is_trailer, std::string_view name, std::string_view) override {
    heard += (is_trailer ? "trailer " : "field ") + std::string(name) + ";";
    return !pauses;
  }
  void on_invalid_field(H2Exchange&) override { heard += "invalid;"; }
  void on_head(H2Exchange&, bool ends) override { heard += ends ? "head ends;" : "head;"; }
  void on_data(H2Exchange&, std::string_view bytes) override { heard += "data " + std::string(bytes) + ";"; }
  bool on_data_frame(size_t bytes, bool) override {
    heard += "frame " + std::to_string(bytes) + ";";
    return true;
  }
  void on_request_end(H2Exchange&) override { heard += "end;"; }
  void on_settings_ack() override { heard += "ack;"; }
  void on_ping_ack() override {}
  void on_stream_close(H2Exchange&, uint32_t error) override { heard += "close " + std::to_string(error) + ";"; }
  bool on_frame_sent(H2Exchange*, const H2SentFrame&) override { return true; }
  int64_t next_data(H2Exchange&, size_t, bool& ends, bool&) override {
    ends = true;
    return 3;
  }
  bool write_data(H2Exchange&, std::string_view frame_header, size_t bytes) override {
    written += std::string(frame_header) + std::string(bytes, 'x');
    return true;
  }

  Loop loop;
  QuietOwner owner;
  std::unique_ptr<H2Exchange> exchange;
  std::string heard;
  std::string written;
  int control_frames = 0;
  int control_frames_max = 100;
  bool pauses = false;
};

const std::string kOpening = kH2Preface + h2_frame(4, 0, 0, "");

TEST(H2CodecTest, TellsARequestInOrder) {
  NotedEvents events;
  H2Codec codec(events, SessionLimits{}, 65536);
  std::string bytes = kOpening + h2_frame(1, 4, 1, h2_block(h2_get("/", "POST"))) +
                      h2_frame(0, 8, 1, std::string("\2abc\0\0", 6)) + h2_frame(1, 5, 1, h2_block({{"t", "v"}}));
  EXPECT_EQ(codec.receive(bytes), static_cast<int64_t>(bytes.size()));
  EXPECT_EQ(events.heard,
            "field :method;field :scheme;field :authority;field :path;head;data abc;frame 3;trailer t;end;");
  EXPECT_EQ(codec.find(1), events.exchange.get());
  EXPECT_EQ(codec.find(3), nullptr);
}

TEST(H2CodecTest, SendsHeadAndDataAndTellsTheClose) {
  NotedEvents events;
  H2Codec codec(events, SessionLimits{}, 65536);
  codec.submit_settings();
  codec.receive(kOpening + h2_frame(1, 5, 1, h2_block(h2_get())));
  codec.submit_head(1, 200, Fields{}, 3, "today", false, true);
  std::string out;
  for (std::string_view piece = codec.pull(); !piece.empty(); piece = codec.pull()) {
    out.append(piece);
  }
  EXPECT_EQ(events.written, h2_frame(0, 1, 1, "xxx"));
  EXPECT_TRUE(events.heard.ends_with("close 0;")) << events.heard;
  EXPECT_EQ(codec.find(1), nullptr);
  EXPECT_FALSE(codec.wants_write());
  EXPECT_TRUE(codec.wants_read());
}

TEST(H2CodecTest, PausesBetweenFieldsAndGoesOn) {
  NotedEvents events;
  events.pauses = true;
  H2Codec codec(events, SessionLimits{}, 65536);
  std::string bytes = kOpening + h2_frame(1, 5, 1, h2_block(h2_get()));
  int64_t taken = codec.receive(bytes);
  EXPECT_EQ(events.heard, "field :method;");
  ASSERT_LT(taken, static_cast<int64_t>(bytes.size()));
  events.pauses = false;
  codec.receive(std::string_view(bytes).substr(static_cast<size_t>(taken)));
  EXPECT_TRUE(events.heard.ends_with("field :path;head ends;end;")) << events.heard;
}

TEST(H2CodecTest, StopsWhenAnEventSaysSo) {
  NotedEvents events;
  events.control_frames_max = 3;
  H2Codec codec(events, SessionLimits{}, 65536);
  std::string bytes = kOpening;
  for (int i = 0; i < 10; ++i) {
    bytes += h2_frame(6, 0, 0, "12345678");
  }
  EXPECT_EQ(codec.receive(bytes), -1);
  EXPECT_EQ(events.control_frames, 4);
}

TEST(H2CodecTest, CountsFramesOfUnknownTypes) {
  NotedEvents events;
  H2Codec codec(events, SessionLimits{}, 65536);
  codec.receive(kOpening);
  int before = events.control_frames;
  codec.receive(h2_frame(0x0a, 0, 0, "abc") + h2_frame(0x10, 0, 0, "abcdef") + h2_frame(0xff, 0, 5, ""));
  EXPECT_EQ(events.control_frames, before + 3);
}

TEST(H2CodecTest, KnowsSettingsOfAnUpgrade) {
  EXPECT_TRUE(are_valid_h2_settings("AAMAAABkAAQAAP__"));
  EXPECT_TRUE(are_valid_h2_settings(""));
  EXPECT_FALSE(are_valid_h2_settings("AAMAAABkAAQA"));
  EXPECT_FALSE(are_valid_h2_settings("!"));
}

}  // namespace
}  // namespace transom
