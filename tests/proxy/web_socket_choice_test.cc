#include "proxy/web_socket_choice.h"

#include <gtest/gtest.h>

#include "base/message_piece.h"
#include "protocol/web_socket_stream.h"
#include "proxy/relay_bench.h"

namespace transom {
namespace {

std::string text(std::string_view json) {
  std::string bytes;
  append_piece({.bytes = json}, bytes);
  return bytes;
}

// A WebSocket through a whole Relay: the fake exchange stands where http's WebSocketExchange does.
class WebSocketRelayTest : public testing::Test {
 protected:
  void open(const std::string& target, const std::vector<std::pair<const char*, const char*>>& fields = {}) {
    ASSERT_TRUE(bench_.run_until_up());
    exchange_.request.method = "GET";
    exchange_.request.target = target;
    exchange_.request.authority = "a.example";
    exchange_.request.is_web_socket = true;
    exchange_.request.has_body = true;
    for (const auto& [name, value] : fields) {
      exchange_.request.fields.add(name, value);
    }
    exchange_.begin(bench_.acceptor);
  }
  bool until_finished() {
    return run_until(bench_.loop, [&] { return exchange_.has_ended(); });
  }
  ~WebSocketRelayTest() override {
    exchange_.end();
    exchange_.drop_handler();
  }

  RelayBench bench_;
  FakeExchange exchange_{bench_.loop};
};

TEST_F(WebSocketRelayTest, IsOpenBeforeTheFirstMessageAndClosesAfterTheLast) {
  open("/v1/say/7");
  ASSERT_TRUE(exchange_.head_said.has_value());
  EXPECT_EQ(exchange_.head_said->status, 101);
  exchange_.send_body(text(R"({"text":"hi"})"));
  ASSERT_TRUE(until_finished());
  EXPECT_EQ(exchange_.said, text(R"({"text":"hi","count":7})"));
  EXPECT_EQ(exchange_.trailers.find(kCloseCodeField), "1000");
}

TEST_F(WebSocketRelayTest, TheQueryBeatsTheMessageWhereTheRuleTakesNoBody) {
  open("/v1/tell?count=3");
  exchange_.send_body(text(R"({"text":"hi","count":1})"));
  ASSERT_TRUE(until_finished());
  EXPECT_NE(exchange_.said.find(R"("count":3)"), std::string::npos) << exchange_.said;
}

TEST_F(WebSocketRelayTest, ARefusedHandshakeIsAPlainAnswer) {
  struct Case {
    const char* target;
    std::pair<const char*, const char*> field;
    int status;
    const char* has;
  };
  const Case cases[] = {
      {"/nowhere", {"a", "b"}, 404, "\"code\":5"},
      {"/v1/say/x", {"sec-websocket-protocol", "chat"}, 400, "transom.json"},
      {"/v1/say/7", {"origin", "https://b.example"}, 403, "\"code\":7"},
      {"/v1/say/7", {"grpc-timeout", "soon"}, 400, "\"code\":3"},
  };
  for (const Case& each : cases) {
    FakeExchange exchange(bench_.loop);
    exchange.request.method = "GET";
    exchange.request.target = each.target;
    exchange.request.authority = "a.example";
    exchange.request.is_web_socket = exchange.request.has_body = true;
    exchange.request.fields.add(each.field.first, each.field.second);
    exchange.begin(bench_.acceptor);
    ASSERT_TRUE(exchange.has_ended()) << each.target;
    EXPECT_EQ(exchange.head_said->status, each.status) << each.target;
    EXPECT_NE(exchange.said.find(each.has), std::string::npos) << exchange.said;
    exchange.end();
    exchange.drop_handler();
  }
  open("/v1/say/7");
}

TEST_F(WebSocketRelayTest, TellsItsSubprotocolAndItsLabel) {
  open("/v1/say/7", {{"sec-websocket-protocol", "transom.proto"}});
  EXPECT_EQ(exchange_.header("sec-websocket-protocol"), "transom.proto");
  std::string message;
  append_piece({.is_binary = true, .bytes = "\x0a\x02hi"}, message);
  exchange_.send_body(message);
  ASSERT_TRUE(until_finished());
  exchange_.end();
  ASSERT_EQ(bench_.seen.ended.size(), 1U);
  EXPECT_EQ(bench_.seen.ended[0].protocol, ProtocolLabel::WebSocket);
  EXPECT_EQ(bench_.seen.ended[0].http_status, 101);
}

TEST_F(WebSocketRelayTest, TheCallIsCancelledWhenTheClientGoes) {
  open("/v1/hear");
  exchange_.send_body(text(R"({"text":"hi"})"));
  run_for(bench_.loop, std::chrono::milliseconds(5));
  exchange_.end(client_error(Code::Cancelled, "gone"));
  ASSERT_EQ(bench_.seen.ended.size(), 1U);
  EXPECT_EQ(bench_.seen.ended[0].http_status, 499);
  EXPECT_EQ(bench_.seen.ended[0].grpc_status, 1);
}

TEST_F(WebSocketRelayTest, ABrokenMessageClosesWithItsCode) {
  open("/v1/hear");
  exchange_.send_body(text(R"({"text":)"));
  ASSERT_TRUE(until_finished());
  EXPECT_EQ(exchange_.trailers.find(kCloseCodeField), "4003");
  EXPECT_NE(exchange_.said.find(R"({"error":{"code":3,)"), std::string::npos) << exchange_.said;
}

}  // namespace
}  // namespace transom
