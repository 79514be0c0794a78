#include "net/proxy_header.h"

#include <gtest/gtest.h>

namespace transom {
namespace {

using std::string_literals::operator""s;

const std::string kSignature = "\x0d\x0a\x0d\x0a\x00\x0d\x0a\x51\x55\x49\x54\x0a"s;

std::string header(uint8_t version_and_command, uint8_t family, const std::string& rest) {
  std::string result = kSignature;
  result += static_cast<char>(version_and_command);
  result += static_cast<char>(family);
  result += static_cast<char>(rest.size() >> 8);
  result += static_cast<char>(rest.size() & 0xff);
  return result + rest;
}

const std::string kV4 = "\x0a\x00\x00\x01\xc0\xa8\x00\x02\x13\x88\x00\x50"s;  // 10.0.0.1:5000 -> 192.168.0.2:80
const std::string kV6 =
    "\x20\x01\x0d\xb8"s + std::string(11, '\0') + "\x07"s + std::string(16, '\1') + "\x13\x88\x00\x50"s;
const std::string kTlv = "\x04\x00\x03xyz"s;

TEST(ProxyHeader, GivesTheSource) {
  struct Case {
    const char* name;
    std::string header;
    std::string source;
  };
  const Case cases[] = {
      {"TCP4", header(0x21, 0x11, kV4), "10.0.0.1:5000"},
      {"TCP4 with a TLV", header(0x21, 0x11, kV4 + kTlv), "10.0.0.1:5000"},
      {"TCP6", header(0x21, 0x21, kV6), "[2001:db8::7]:5000"},
      {"UNIX", header(0x21, 0x31, std::string(216, 'p')), "unix:"},
      {"LOCAL", header(0x20, 0x00, ""), ""},
      {"LOCAL with an address", header(0x20, 0x11, kV4), ""},
      {"UNSPEC", header(0x21, 0x00, kTlv), ""},
  };
  for (const Case& each : cases) {
    Result<size_t> bytes = proxy_header_bytes(each.header.substr(0, kProxyHeaderFixedBytes));
    ASSERT_TRUE(bytes.ok()) << each.name;
    EXPECT_EQ(*bytes, each.header.size()) << each.name;
    Result<ProxyHeader> parsed = parse_proxy_header(each.header);
    ASSERT_TRUE(parsed.ok()) << each.name << ": " << parsed.status().message;
    EXPECT_EQ(parsed->source, each.source) << each.name;
  }
}

TEST(ProxyHeader, RefusesWhatIsNone) {
  struct Case {
    const char* name;
    std::string header;
  };
  const Case cases[] = {
      {"empty", ""},
      {"version 1", "PROXY TCP4 10.0.0.1 192.168.0.2 5000 80\r\n"},
      {"HTTP", "GET / HTTP/1.1\r\n\r\n"},
      {"another signature",
       "\r\n\r\n" + header(0x21, 0x11, kV4).substr(4, 7) + "!" + header(0x21, 0x11, kV4).substr(12)},
      {"version 3", header(0x31, 0x11, kV4)},
      {"command 2", header(0x22, 0x11, kV4)},
      {"UDP4", header(0x21, 0x12, kV4)},
      {"family 4", header(0x21, 0x41, kV4)},
      {"TCP4 cut short", header(0x21, 0x11, kV4.substr(0, 11))},
      {"TCP6 cut short", header(0x21, 0x21, kV6.substr(0, 35))},
      {"UNIX cut short", header(0x21, 0x31, std::string(215, 'p'))},
      {"shorter than it says", header(0x21, 0x11, kV4 + kTlv).substr(0, 30)},
      {"longer than it says", header(0x21, 0x11, kV4) + "x"},
      {"half of the fixed part", header(0x21, 0x11, kV4).substr(0, 13)},
  };
  for (const Case& each : cases) {
    Result<ProxyHeader> parsed = parse_proxy_header(each.header);
    ASSERT_FALSE(parsed.ok()) << each.name;
    EXPECT_EQ(parsed.status().code, Code::InvalidArgument) << each.name;
  }
}

}  // namespace
}  // namespace transom
