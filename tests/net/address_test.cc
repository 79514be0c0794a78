#include "net/address.h"

#include <gtest/gtest.h>

namespace transom {
namespace {

using Kind = Address::Kind;

TEST(Address, ParsesWhatConfigurationMaySay) {
  struct Case {
    std::string text;
    Address parsed;
    bool is_literal;
  };
  const Case cases[] = {
      {"127.0.0.1:8080", {Kind::Tcp, "127.0.0.1", 8080, ""}, true},
      {"0.0.0.0:0", {Kind::Tcp, "0.0.0.0", 0, ""}, true},
      {"[::1]:80", {Kind::Tcp, "::1", 80, ""}, true},
      {"[::]:65535", {Kind::Tcp, "::", 65535, ""}, true},
      {"localhost:50051", {Kind::Tcp, "localhost", 50051, ""}, false},
      {"predictors.ml.svc:1", {Kind::Tcp, "predictors.ml.svc", 1, ""}, false},
      {"my_host-2.:9", {Kind::Tcp, "my_host-2.", 9, ""}, false},
      {"unix:/run/p.sock", {Kind::Unix, "", 0, "/run/p.sock"}, false},
      {"unix:relative:1", {Kind::Unix, "", 0, "relative:1"}, false},
  };
  for (const Case& each : cases) {
    Result<Address> address = parse_address(each.text);
    ASSERT_TRUE(address.ok()) << address.status().message;
    EXPECT_EQ(*address, each.parsed) << each.text;
    EXPECT_EQ(address->format(), each.text);
    EXPECT_EQ(address->is_literal(), each.is_literal) << each.text;
  }
}

TEST(Address, RefusesTheRestAndSaysWhy) {
  struct Case {
    std::string text;
    std::string reason;
  };
  const Case cases[] = {
      {"", "port is missing"},
      {"localhost", "port is missing"},
      {"[::1]", "port is missing"},
      {":80", "host is missing"},
      {"localhost:", "port is not a number"},
      {"localhost:65536", "port is not a number"},
      {"localhost:-1", "port is not a number"},
      {"localhost:+1", "port is not a number"},
      {"localhost: 1", "port is not a number"},
      {"localhost:000080", "port is not a number"},
      {"localhost:http", "port is not a number"},
      {"::1:80", "needs brackets"},
      {"[127.0.0.1]:80", "no IPv6 address"},
      {"[::g]:80", "no IPv6 address"},
      {"[]:80", "no IPv6 address"},
      {"256.0.0.1:80", "no IPv4 address"},
      {"1.2.3:80", "no IPv4 address"},
      {"a b:80", "neither a name nor an IP address"},
      {"http://localhost:80", "needs brackets"},
      {".a:80", "neither a name nor an IP address"},
      {"a..b:80", "neither a name nor an IP address"},
      {std::string(254, 'a') + ":80", "neither a name nor an IP address"},
      {"unix:", "path after unix: is empty"},
      {"unix:/" + std::string(107, 'p'), "longer than 107 bytes"},
      {std::string("unix:/a\0b", 9), "NUL"},
      {"fd:3", "not supported"},
  };
  for (const Case& each : cases) {
    Result<Address> address = parse_address(each.text);
    ASSERT_FALSE(address.ok()) << each.text;
    EXPECT_EQ(address.status().code, Code::InvalidArgument);
    EXPECT_NE(address.status().message.find(each.reason), std::string::npos)
        << each.text << ": " << address.status().message;
  }
}

}  // namespace
}  // namespace transom
