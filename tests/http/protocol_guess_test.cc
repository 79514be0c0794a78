#include "http/protocol_guess.h"

#include <gtest/gtest.h>

#include <string>

namespace transom {
namespace {

TEST(ProtocolGuessTest, WaitsForTheWholePreface) {
  const std::string preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";  // RFC 9113 section 3.4
  for (size_t bytes = 0; bytes < preface.size(); ++bytes) {
    EXPECT_EQ(guess_protocol(preface.substr(0, bytes)), ProtocolGuess::Unknown) << bytes;
  }
  EXPECT_EQ(guess_protocol(preface), ProtocolGuess::Http2);
  EXPECT_EQ(guess_protocol(preface + "more"), ProtocolGuess::Http2);
  for (size_t at = 0; at < preface.size(); ++at) {
    std::string other = preface.substr(0, at) + "!";
    EXPECT_EQ(guess_protocol(other), ProtocolGuess::Http1) << other;
  }
  EXPECT_EQ(guess_protocol("POST / HTTP/1.1\r\n"), ProtocolGuess::Http1);
}

TEST(ProtocolGuessTest, TellsWhatIsNotHttpAtAll) {
  EXPECT_TRUE(is_not_http("INVALID CONNECTION PREFACE\r\n\r\n"));
  for (std::string line : {"GET / HTTP/1.1", "GET /", "GET / FOO", "GET x HTTP/1.1", "GET  / HTTP/1.1", "\x16\x03\x01",
                           "GET http://a/ FOO", ""}) {
    EXPECT_FALSE(is_not_http(line + "\r\n")) << line;
  }
}

}  // namespace
}  // namespace transom
