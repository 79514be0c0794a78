#include "proxy/web_socket_origin.h"

#include <gtest/gtest.h>

namespace transom {
namespace {

RequestHead head_of(std::string_view authority, std::string_view origin) {
  RequestHead head;
  head.authority = authority;
  if (!origin.empty()) {
    head.fields.add("origin", origin);
  }
  return head;
}

TEST(WebSocketOriginTest, APageMustBeOfTheHostThatItAsks) {
  struct Case {
    const char* authority;
    const char* origin;
    bool may;
  };
  const Case cases[] = {
      {"a.example", "", true},
      {"a.example", "http://a.example", true},
      {"a.example", "https://a.example", true},
      {"A.example", "https://a.Example", true},
      {"a.example:443", "https://a.example", true},
      {"a.example:80", "http://a.example", true},
      {"a.example:8080", "http://a.example:8080", true},
      {"[::1]:8080", "http://[::1]:8080", true},
      {"a.example:8080", "http://a.example", false},
      {"a.example", "http://a.example:8080", false},
      {"a.example", "https://b.example", false},
      {"a.example", "https://a.example.evil.example", false},
      {"a.example", "https://evil-a.example", false},
      {"a.example", "null", false},
      {"a.example", "a.example", false},
  };
  for (const Case& each : cases) {
    EXPECT_EQ(may_open_web_socket(head_of(each.authority, each.origin), nullptr), each.may)
        << each.authority << " " << each.origin;
  }
}

TEST(WebSocketOriginTest, OrOneThatTheListenerAllows) {
  CorsOptions options;
  options.allow_origins = {"https://b.example"};
  const Cors cors(options);
  EXPECT_TRUE(may_open_web_socket(head_of("a.example", "https://b.example"), &cors));
  EXPECT_TRUE(may_open_web_socket(head_of("a.example", "https://a.example"), &cors));
  EXPECT_FALSE(may_open_web_socket(head_of("a.example", "https://c.example"), &cors));
}

TEST(WebSocketOriginTest, EveryOriginGivenMustBeAllowed) {
  RequestHead head = head_of("a.example", "https://a.example");
  head.fields.add("origin", "https://b.example");
  EXPECT_FALSE(may_open_web_socket(head, nullptr));
}

}  // namespace
}  // namespace transom
