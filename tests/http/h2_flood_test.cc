// What a hostile client does to an HTTP/2 session, by frames written by hand.
#include <random>

#include "http/h2_test_client.h"

namespace transom {
namespace {

using std::chrono::milliseconds;

constexpr uint8_t kDataType = 0;
constexpr uint8_t kHeadersType = 1;
constexpr uint8_t kPriorityType = 2;
constexpr uint8_t kResetType = 3;
constexpr uint8_t kSettingsType = 4;
constexpr uint8_t kPingType = 6;
constexpr uint8_t kGoawayType = 7;
constexpr uint8_t kWindowUpdateType = 8;
constexpr uint8_t kContinuationType = 9;
constexpr uint8_t kEndStream = 1;
constexpr uint8_t kEndHeaders = 4;

class H2FloodTest : public SessionFixture {
 protected:
  void open() {
    acceptor_.on_end = [](Exchange& exchange, ExchangeNotes&) { answer(exchange, 200, "fine"); };
    serve();
    raw_ = connect();
    raw_->send(kH2Preface + h2_frame(kSettingsType, 0, 0, "") + h2_frame(kSettingsType, 1, 0, ""));
  }
  // Sends until the session ends, or that many times.
  bool flood(const std::string& bytes, size_t times) {
    for (size_t sent = 0; sent < times * bytes.size();) {
      size_t from = sent % bytes.size();
      sent += raw_->send(std::string_view(bytes).substr(from));
      run_for(loop_, milliseconds(0));
      raw_->read();
      if (raw_->has_closed()) {
        return true;
      }
    }
    return wait(
        *raw_, [&] { return raw_->has_closed(); }, milliseconds(500));
  }
  // The error code of the last GOAWAY that came, or -1.
  int64_t goaway_error() const {
    int64_t error = -1;
    const std::string& bytes = raw_->received;
    for (size_t at = 0; at + 9 <= bytes.size();) {
      auto byte = [&](size_t i) { return static_cast<uint32_t>(static_cast<uint8_t>(bytes[at + i])); };
      size_t size = byte(0) << 16 | byte(1) << 8 | byte(2);
      if (byte(3) == kGoawayType && at + 17 <= bytes.size()) {
        error = byte(13) << 24 | byte(14) << 16 | byte(15) << 8 | byte(16);
      }
      at += 9 + size;
    }
    return error;
  }
  bool still_answers() {
    raw_->send(h2_frame(kHeadersType, kEndHeaders | kEndStream, 99'999, h2_block(h2_get())));
    return wait_for(*raw_, "fine");
  }

  std::unique_ptr<RawClient> raw_;
};

TEST_F(H2FloodTest, ControlFramesWithoutReasonEndTheSession) {
  struct Case {
    const char* what;
    std::string frame;
  };
  const Case cases[] = {
      {"PING", h2_frame(kPingType, 0, 0, "12345678")},
      {"PING ACK", h2_frame(kPingType, 1, 0, "12345678")},
      {"SETTINGS", h2_frame(kSettingsType, 0, 0, "")},
      {"PRIORITY of idle streams", h2_frame(kPriorityType, 0, 101, std::string("\0\0\0\0\x10", 5))},
      {"WINDOW_UPDATE", h2_frame(kWindowUpdateType, 0, 0, std::string("\0\0\0\1", 4))},
      {"an unknown type", h2_frame(0x77, 0, 0, "abc")},
      {"ALTSVC", h2_frame(0x0a, 0, 0, std::string("\0\0", 2))},
  };
  for (const Case& each : cases) {
    open();
    EXPECT_TRUE(flood(each.frame, 5000)) << each.what;
    EXPECT_EQ(goaway_error(), 11) << each.what;  // ENHANCE_YOUR_CALM
  }
}

TEST_F(H2FloodTest, AFewControlFramesAreFine) {
  open();
  for (int i = 0; i < 100; ++i) {
    raw_->send(h2_frame(kPingType, 0, 0, "12345678") + h2_frame(0x77, 0, 0, "abc") +
               h2_frame(kWindowUpdateType, 0, 0, std::string("\0\0\0\1", 4)));
  }
  EXPECT_TRUE(still_answers());
}

TEST_F(H2FloodTest, EmptyDataFramesEndTheSession) {
  open();
  raw_->send(h2_frame(kHeadersType, kEndHeaders, 1, h2_block(h2_get("/", "POST"))));
  EXPECT_TRUE(flood(h2_frame(kDataType, 0, 1, ""), 1000));
  EXPECT_EQ(goaway_error(), 11);
  open();
  raw_->send(h2_frame(kHeadersType, kEndHeaders, 1, h2_block(h2_get("/", "POST"))));
  EXPECT_TRUE(flood(h2_frame(kDataType, 8, 1, std::string("\2\0\0", 3)), 1000)) << "padding alone";
  EXPECT_EQ(goaway_error(), 11);
}

TEST_F(H2FloodTest, RapidResetsEndTheSession) {
  options_.limits.client_resets_burst = 50;
  open();
  std::string frames;
  for (uint32_t stream = 1; stream < 400; stream += 2) {
    frames += h2_frame(kHeadersType, kEndHeaders | kEndStream, stream, h2_block(h2_get()));
    frames += h2_frame(kResetType, 0, stream, std::string("\0\0\0\x8", 4));
  }
  EXPECT_TRUE(flood(frames, 1));
  EXPECT_GT(goaway_error(), 0);
  EXPECT_TRUE(wait(*raw_, [&] { return sessions_->open_exchanges() == 0; }));
}

TEST_F(H2FloodTest, StreamsThatMakeUsResetThemEndTheSession) {
  options_.limits.own_resets_burst = 20;
  options_.limits.own_resets_per_second = 1;
  open();
  acceptor_.on_end = {};
  std::string frames;
  for (uint32_t stream = 1; stream < 400; stream += 2) {
    frames += h2_frame(kHeadersType, kEndHeaders | kEndStream, stream, h2_block(h2_get()));
    frames += h2_frame(kWindowUpdateType, 0, stream, std::string("\0\0\0\0", 4));  // a stream error
  }
  EXPECT_TRUE(flood(frames, 1));
  EXPECT_GT(goaway_error(), 0);
}

TEST_F(H2FloodTest, EndlessContinuationsEndTheSession) {
  open();
  raw_->send(h2_frame(kHeadersType, 0, 1, h2_block(h2_get())));
  EXPECT_TRUE(flood(h2_frame(kContinuationType, 0, 1, h2_block({{"a", "b"}})), 1000));
  EXPECT_EQ(goaway_error(), 11);
  EXPECT_EQ(exchanges(), 0U);
}

TEST_F(H2FloodTest, ABombOfIndexedFieldsIsAnswered431InBoundedMemory) {
  open();
  // One field of 4000 bytes is put in the decoder's table and then named by single bytes.
  std::string block = h2_block(h2_get());
  std::string value(3900, 'v');
  block.push_back('\x40');
  block += std::string("\x01") + "x";
  block.push_back('\x7f');
  size_t rest = value.size() - 127;
  while (rest >= 128) {
    block.push_back(static_cast<char>(rest % 128 + 128));
    rest /= 128;
  }
  block.push_back(static_cast<char>(rest));
  block += value;
  block += std::string(10'000, '\xbe');
  raw_->send(h2_frame(kHeadersType, kEndHeaders | kEndStream, 1, block));
  EXPECT_TRUE(wait_for(*raw_, "{\"code\":8}"));
  ASSERT_EQ(refusals_.size(), 1U);
  EXPECT_EQ(refusals_[0].status, 431);
  EXPECT_TRUE(still_answers());
}

TEST_F(H2FloodTest, AHeadThatNeverEndsAndSilenceAreTimedOut) {
  options_.limits.header_timeout = milliseconds(80);
  options_.limits.body_timeout = milliseconds(60);
  open();
  raw_->send(h2_frame(kHeadersType, 0, 1, h2_block(h2_get())));
  EXPECT_TRUE(wait_for_end(*raw_));
  EXPECT_GE(goaway_error(), 0);
  open();
  raw_->send(h2_frame(kHeadersType, kEndHeaders, 1, h2_block(h2_get("/", "POST"))));
  EXPECT_TRUE(wait_for(*raw_, "{\"code\":4}")) << "408 on the stream";
  EXPECT_TRUE(wait(*raw_, [&] { return exchange(0).ends == 1; }));
  EXPECT_EQ(exchange(0).end_status.code, Code::DeadlineExceeded);
  EXPECT_TRUE(still_answers());
}

TEST_F(H2FloodTest, AClientThatNeverOpensItsWindowIsReset) {
  options_.limits.write_timeout = milliseconds(60);
  open();
  acceptor_.on_end = [](Exchange& exchange, ExchangeNotes&) { answer(exchange, 200, std::string(200'000, 'x')); };
  raw_->send(h2_frame(kHeadersType, kEndHeaders | kEndStream, 1, h2_block(h2_get())));
  EXPECT_TRUE(wait(*raw_, [&] { return exchanges() == 1 && exchange(0).ends == 1; }));
  EXPECT_EQ(exchange(0).end_status.code, Code::Cancelled);
  EXPECT_EQ(account_.held_bytes(), 0U);
}

TEST_F(H2FloodTest, SettingsMustBeAcknowledgedAndIdleSessionsEnd) {
  options_.limits.settings_timeout = milliseconds(60);
  acceptor_.on_end = {};
  serve();
  raw_ = connect();
  raw_->send(kH2Preface + h2_frame(kSettingsType, 0, 0, ""));
  EXPECT_TRUE(wait_for_end(*raw_));
  EXPECT_EQ(goaway_error(), 4);
  options_.limits.idle = milliseconds(60);
  open();
  EXPECT_TRUE(wait_for_end(*raw_));
  EXPECT_EQ(goaway_error(), 0);
}

TEST_F(H2FloodTest, ManyFramesThatAreWrongInOtherWaysAreSurvived) {
  const std::string good =
      h2_frame(kHeadersType, kEndHeaders, 1, h2_block(h2_get("/", "POST"))) + h2_frame(kDataType, 0, 1, "hello") +
      h2_frame(kPingType, 0, 0, "12345678") + h2_frame(kHeadersType, kEndHeaders | kEndStream, 3, h2_block(h2_get())) +
      h2_frame(kDataType, kEndStream, 1, "world") + h2_frame(kResetType, 0, 3, std::string("\0\0\0\x8", 4));
  acceptor_.on_end = [](Exchange& exchange, ExchangeNotes&) { answer(exchange, 200, "fine"); };
  serve();
  std::mt19937 random(11);
  for (int round = 0; round < 300; ++round) {
    std::string bytes = good;
    for (size_t changes = random() % 6; changes > 0; --changes) {
      bytes[random() % bytes.size()] = static_cast<char>(random());
    }
    auto client = connect();
    client->send(kH2Preface + h2_frame(kSettingsType, 0, 0, "") + bytes);
    client->end();
    EXPECT_TRUE(wait_for_end(*client)) << round;
  }
  EXPECT_TRUE(run_until(loop_, [&] { return sessions_->open_sessions() == 0; }));
  for (const auto& notes : acceptor_.exchanges) {
    EXPECT_EQ(notes->ends, 1);
  }
}

}  // namespace
}  // namespace transom
