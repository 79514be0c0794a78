#include "http/web_socket_handshake.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace transom {
namespace {

constexpr char kKey[] = "dGhlIHNhbXBsZSBub25jZQ==";

RequestHead head_of(HttpVersion version, const std::vector<std::pair<const char*, const char*>>& fields) {
  RequestHead head;
  head.version = version;
  head.is_web_socket = true;
  for (const auto& [name, value] : fields) {
    head.fields.add(name, value);
  }
  return head;
}

// RFC 6455 section 1.3.
TEST(WebSocketHandshakeTest, TheStandardsExample) {
  EXPECT_EQ(web_socket_accept(kKey), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
}

TEST(WebSocketHandshakeTest, WantsVersion13AndOverHttp1AKeyOf16Bytes) {
  struct Case {
    HttpVersion version;
    std::vector<std::pair<const char*, const char*>> fields;
    uint16_t status;
  };
  const std::pair<const char*, const char*> key{"sec-websocket-key", kKey};
  const std::pair<const char*, const char*> version{"sec-websocket-version", "13"};
  const Case cases[] = {
      {HttpVersion::Http1, {key, version}, 0},
      {HttpVersion::Http1, {key}, 426},
      {HttpVersion::Http1, {key, {"sec-websocket-version", "8"}}, 426},
      {HttpVersion::Http1, {key, {"sec-websocket-version", "13, 8"}}, 426},
      {HttpVersion::Http1, {key, version, version}, 400},
      {HttpVersion::Http1, {version}, 400},
      {HttpVersion::Http1, {key, key, version}, 400},
      {HttpVersion::Http1, {{"sec-websocket-key", ""}, version}, 400},
      {HttpVersion::Http1, {{"sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ"}, version}, 400},
      {HttpVersion::Http1, {{"sec-websocket-key", "dGhlIHNhbXBsZSBub25jZSE="}, version}, 400},
      {HttpVersion::Http1, {{"sec-websocket-key", "!GhlIHNhbXBsZSBub25jZQ=="}, version}, 400},
      {HttpVersion::Http2, {version}, 0},
      {HttpVersion::Http2, {}, 0},
      {HttpVersion::Http2, {{"sec-websocket-version", "8"}}, 426},
  };
  for (const Case& each : cases) {
    EXPECT_EQ(check_web_socket(head_of(each.version, each.fields)).http_status, each.status);
  }
}

TEST(WebSocketHandshakeTest, AcceptsInTheWordsOfItsVersion) {
  ResponseHead accepted;
  accepted.fields.add("content-type", "application/json");
  accepted.fields.add("x-request-id", "r");
  const ResponseHead h1 = web_socket_head(head_of(HttpVersion::Http1, {{"sec-websocket-key", kKey}}), accepted);
  EXPECT_EQ(h1.status, 101);
  EXPECT_EQ(h1.fields.find("upgrade"), "websocket");
  EXPECT_EQ(h1.fields.find("connection"), "Upgrade");
  EXPECT_EQ(h1.fields.find("sec-websocket-accept"), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
  EXPECT_EQ(h1.fields.find("x-request-id"), "r");
  EXPECT_FALSE(h1.fields.find("content-type").has_value());
  const ResponseHead h2 = web_socket_head(head_of(HttpVersion::Http2, {}), accepted);
  EXPECT_EQ(h2.status, 200);
  EXPECT_EQ(h2.fields.size(), 1U);
}

}  // namespace
}  // namespace transom
