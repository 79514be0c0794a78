#include "net/socket_address.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>

namespace transom {
namespace {

std::string format_ip(const char* text, uint16_t port) {
  in6_addr ip;
  int family = std::string_view(text).find(':') == std::string_view::npos ? AF_INET : AF_INET6;
  EXPECT_EQ(inet_pton(family, text, &ip), 1);
  return make_ip_address(family, &ip, port).format();
}

TEST(SocketAddress, ReadsAsPeopleWriteIt) {
  EXPECT_EQ(format_ip("10.0.0.1", 5000), "10.0.0.1:5000");
  EXPECT_EQ(format_ip("::1", 65535), "[::1]:65535");
  EXPECT_EQ(format_ip("2001:db8::7", 1), "[2001:db8::7]:1");
  EXPECT_EQ(format_ip("::ffff:10.0.0.1", 5000), "10.0.0.1:5000");  // an IPv4 client of an IPv6 socket
}

TEST(SocketAddress, IsMadeOfLiteralsAndPathsOnly) {
  for (const char* text : {"127.0.0.1:80", "[::1]:81"}) {
    Result<SocketAddress> address = to_socket_address(parse_address(text).value());
    ASSERT_TRUE(address.ok());
    EXPECT_EQ(address->format(), text);
  }
  Result<SocketAddress> path = to_socket_address(parse_address("unix:/tmp/x").value());
  ASSERT_TRUE(path.ok());
  EXPECT_EQ(path->family(), AF_UNIX);
  EXPECT_EQ(path->format(), "unix:");
  EXPECT_EQ(path->port(), 0);
  EXPECT_FALSE(to_socket_address(parse_address("localhost:80").value()).ok());
}

}  // namespace
}  // namespace transom
