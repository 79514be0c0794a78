#include "proxy/client_address.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace transom {
namespace {

TEST(ClientAddressTest, IsThePeerOrAsManyHopsBackAsAreTrusted) {
  const struct {
    std::string peer;
    size_t trusted_hops;
    std::vector<std::string> forwarded;
    std::string client;
  } cases[] = {
      {"10.0.0.1:5000", 0, {}, "10.0.0.1"},
      {"[2001:db8::1]:5000", 0, {}, "2001:db8::1"},
      {"unix:", 0, {}, "unix"},
      {"10.0.0.1:5000", 0, {"1.1.1.1"}, "10.0.0.1"},
      {"10.0.0.1:5000", 1, {"1.1.1.1"}, "1.1.1.1"},
      {"10.0.0.1:5000", 1, {"6.6.6.6, 1.1.1.1"}, "1.1.1.1"},
      {"10.0.0.1:5000", 2, {"6.6.6.6, 1.1.1.1 ,2.2.2.2"}, "1.1.1.1"},
      {"10.0.0.1:5000", 2, {"6.6.6.6", "1.1.1.1", "2.2.2.2"}, "1.1.1.1"},
      {"10.0.0.1:5000", 3, {"1.1.1.1, 2.2.2.2"}, "10.0.0.1"},
      {"10.0.0.1:5000", 1, {}, "10.0.0.1"},
      {"10.0.0.1:5000", 1, {"unknown"}, "10.0.0.1"},
      {"10.0.0.1:5000", 1, {"1.1.1.1, "}, "10.0.0.1"},
      {"10.0.0.1:5000", 1, {"<script>"}, "10.0.0.1"},
      {"10.0.0.1:5000", 1, {std::string(100, '1') + "."}, "10.0.0.1"},
      {"10.0.0.1:5000", 1, {"[2001:db8::2]:443"}, "2001:db8::2"},
      {"10.0.0.1:5000", 1, {"2001:db8::2"}, "2001:db8::2"},
      {"10.0.0.1:5000", 1, {"1.1.1.1:99"}, "1.1.1.1"},
      {"unix:", 1, {"1.1.1.1"}, "1.1.1.1"},
  };
  for (const auto& row : cases) {
    RequestHead head;
    head.peer = row.peer;
    for (const std::string& value : row.forwarded) {
      head.fields.add("x-forwarded-for", value);
      head.fields.add("x-other", "9.9.9.9");
    }
    EXPECT_EQ(client_address(head, row.trusted_hops), row.client);
  }
}

TEST(ClientAddressTest, APeersAddressIsWithoutPortAndBrackets) {
  for (const char* peer : {"::1", "[::1]:5000", "[::1]"}) {
    EXPECT_EQ(address_of_peer(peer), "::1") << peer;
  }
  for (const char* peer : {"10.0.0.1", "10.0.0.1:5000"}) {
    EXPECT_EQ(address_of_peer(peer), "10.0.0.1") << peer;
  }
  EXPECT_EQ(address_of_peer(""), "");
}

}  // namespace
}  // namespace transom
