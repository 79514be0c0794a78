#include "backend/h2_client.h"

#include <gtest/gtest.h>

namespace transom {
namespace {

struct Heard final : H2Events {
  void on_h2_settings(uint32_t streams_max) override { settings.push_back(streams_max); }
  void on_h2_goaway(uint32_t h2_error, std::string_view debug) override {
    goaways.emplace_back(h2_error);
    last_debug = debug;
  }
  void on_h2_stream_gone() override { ++gone; }

  std::vector<uint32_t> settings;
  std::vector<uint32_t> goaways;
  std::string last_debug;
  int gone = 0;
};

struct HeardStream final : H2Stream {
  bool on_stream_field(std::string_view name, std::string_view value) override {
    fields.add(name, value);
    return true;
  }
  void on_stream_fields_end(bool is_last) override { ends += is_last ? "F" : "f"; }
  void on_stream_bytes(std::string_view bytes) override { received.append(bytes); }
  void on_stream_end() override { ends += "e"; }
  void on_stream_close(uint32_t h2_error) override { ends += "c" + std::to_string(h2_error); }
  void on_stream_leaving(uint64_t at) override { left_at = at; }
  void on_stream_sent(size_t bytes) override { sent += bytes; }
  SendQueue& stream_queue() override { return queue; }

  SendQueue queue{nullptr, 0};
  Fields fields;
  std::string received;
  std::string ends;
  uint64_t left_at = 0;
  size_t sent = 0;
};

std::string frame(uint8_t type, uint8_t flags, uint32_t stream, std::string_view payload) {
  std::string bytes;
  for (int shift : {16, 8, 0}) {
    bytes.push_back(static_cast<char>(payload.size() >> shift));
  }
  bytes.push_back(static_cast<char>(type));
  bytes.push_back(static_cast<char>(flags));
  for (int shift : {24, 16, 8, 0}) {
    bytes.push_back(static_cast<char>(stream >> shift));
  }
  return bytes.append(payload);
}

constexpr std::string_view kPreface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
const std::string kEmptySettings = frame(4, 0, 0, "");

std::string produce(H2Client& client, size_t max = kMiB) {
  std::string out;
  EXPECT_TRUE(client.produce(out, max).ok());
  return out;
}

int32_t open(H2Client& client, H2Stream& stream) {
  std::vector<Field> fields{{":method", "POST"}, {":scheme", "http"}, {":path", "/a/b"}, {":authority", "x"}};
  return client.open(fields, stream);
}

// RFC 9113 sections 3.4 and 6.5: the preface, then SETTINGS; ENABLE_PUSH (2) is 0, INITIAL_WINDOW_SIZE (4) 65536,
// MAX_HEADER_LIST_SIZE (6) 65536; then a WINDOW_UPDATE of the session to 4 MiB.
TEST(H2Client, BeginsWithPrefaceAndSettings) {
  Heard heard;
  H2Client client(ChannelLimits(), heard);
  std::string expected(kPreface);
  expected += frame(4, 0, 0,
                    std::string("\0\2\0\0\0\0"
                                "\0\4\0\1\0\0"
                                "\0\6\0\1\0\0",
                                18));
  expected += frame(8, 0, 0, std::string("\0\x3f\0\1", 4));
  EXPECT_EQ(produce(client), expected);
  EXPECT_FALSE(client.wants_write());
  EXPECT_EQ(client.produced_bytes(), expected.size());
}

TEST(H2Client, TellsTheBoundOfStreams) {
  Heard heard;
  H2Client client(ChannelLimits(), heard);
  EXPECT_TRUE(client.receive(kEmptySettings).ok());
  EXPECT_TRUE(client.receive(frame(4, 0, 0, std::string("\0\3\0\0\0\7", 6))).ok());
  ASSERT_EQ(heard.settings.size(), 2U);
  EXPECT_GE(heard.settings[0], 1'000'000U);
  EXPECT_EQ(heard.settings[1], 7U);
}

TEST(H2Client, SaysSoWhenThePeerSpeaksSomethingElse) {
  // The last is an alert of TLS.
  for (const std::string& text : {std::string("HTTP/1.1 400 Bad Request\r\n\r\n"), std::string("SSH-2.0-OpenSSH_9\r\n"),
                                  std::string("\x15\x03\x01\0\x02\x02\x46\0\0\0", 10)}) {
    Heard heard;
    H2Client client(ChannelLimits(), heard);
    produce(client);
    Status status = client.receive(text);
    if (status.ok()) {
      produce(client);
    }
    EXPECT_TRUE(!status.ok() || client.is_over()) << text;
    EXPECT_TRUE(heard.settings.empty());
  }
}

TEST(H2Client, WritesAtMostAsMuchAsItIsAsked) {
  Heard heard;
  H2Client client(ChannelLimits(), heard);
  client.receive(frame(4, 0, 0, std::string("\0\4\0\x40\0\0", 6)));
  client.receive(frame(8, 0, 0, std::string("\0\x40\0\0", 4)));
  produce(client);
  HeardStream stream;
  stream.queue.push(std::string(kMiB, 'x'));
  stream.queue.end();
  EXPECT_GT(open(client, stream), 0);
  std::string out;
  ASSERT_TRUE(client.produce(out, 100'000).ok());
  EXPECT_GE(out.size(), 100'000U);
  EXPECT_LE(out.size(), 100'000U + 16'384U + 9U);
  EXPECT_TRUE(client.wants_write());
  EXPECT_GT(stream.left_at, 0U);
  while (client.wants_write()) {
    produce(client, 100'000);
  }
  EXPECT_EQ(stream.sent, kMiB);
}

TEST(H2Client, AStreamThatWasResetHearsNothing) {
  Heard heard;
  H2Client client(ChannelLimits(), heard);
  client.receive(kEmptySettings);
  produce(client);
  for (bool has_left : {false, true}) {
    HeardStream stream;
    int32_t id = open(client, stream);
    if (has_left) {
      produce(client);
    }
    client.reset(id, 8);
    produce(client);
    EXPECT_EQ(stream.ends, "");
    EXPECT_EQ(stream.left_at > 0, has_left);
  }
  EXPECT_EQ(heard.gone, 2);
}

TEST(H2Client, TellsGoawayAndClosesStreamsAboveItAsRefused) {
  Heard heard;
  H2Client client(ChannelLimits(), heard);
  client.receive(kEmptySettings);
  HeardStream first;
  HeardStream second;
  open(client, first);
  open(client, second);
  produce(client);
  client.receive(frame(7, 0, 0,
                       std::string("\0\0\0\1\0\0\0\x0b"
                                   "too_many_pings",
                                   22)));
  EXPECT_EQ(heard.goaways, std::vector<uint32_t>{11});
  EXPECT_EQ(heard.last_debug, "too_many_pings");
  EXPECT_EQ(first.ends, "");
  EXPECT_EQ(second.ends, "c7");
}

TEST(H2Client, SurvivesAnyBytes) {
  uint32_t seed = 1;
  for (int round = 0; round < 2000; ++round) {
    Heard heard;
    H2Client client(ChannelLimits(), heard);
    HeardStream stream;
    client.receive(kEmptySettings);
    open(client, stream);
    produce(client);
    for (int i = 0; i < 20; ++i) {
      std::string payload;
      for (uint32_t left = seed % 40; left > 0; --left) {
        seed = seed * 1664525 + 1013904223;
        payload.push_back(static_cast<char>(seed >> 24));
      }
      seed = seed * 1664525 + 1013904223;
      auto type = static_cast<uint8_t>((seed >> 16) % 12);
      if (!client.receive(frame(type, static_cast<uint8_t>(seed >> 8), (seed >> 28) % 3, payload)).ok()) {
        break;
      }
      std::string out;
      if (!client.produce(out, kMiB).ok()) {
        break;
      }
    }
    EXPECT_LE(stream.ends.size(), 12U);
  }
}

}  // namespace
}  // namespace transom
