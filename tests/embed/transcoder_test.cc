#include "transom/transcoder.h"

#include <gtest/gtest.h>

#include <optional>

#include "embed/schemas.h"

namespace transom {
namespace {

RoutedRequest route(std::string_view method, std::string_view target) {
  auto router = ServiceRouter::make(shop_schema(), {{.service = "shop.Shop"}});
  EXPECT_TRUE(router) << router.failure().message;
  return std::move(router->find(method, target)).value();
}

TEST(Transcoder, ARequestIsMadeOfBodyPathAndQuery) {
  const auto message = Transcoder().request(route("PUT", "/v1/items/pen"), R"({"count": 3, "tags": ["a"]})");
  ASSERT_TRUE(message) << message.failure().message;
  // Fields are printed in the order of the wire; what the path gives is written last.
  const auto json = Transcoder().to_json(shop_schema(), "shop.Item", *message);
  ASSERT_TRUE(json) << json.failure().message;
  EXPECT_EQ(*json, R"({"count":3,"tags":["a"],"name":"pen"})");
  EXPECT_EQ(Transcoder().request(route("GET", "/v1/items/pen?count=3"), "").value(), "\x0a\x03pen\x10\x03");
}

TEST(Transcoder, AnAnswerIsThePartThatTheRuleNames) {
  const std::string message =
      "\x0a\x03pen\x1a\x01"
      "a\x1a\x01"
      "b";
  EXPECT_EQ(Transcoder().answer(route("GET", "/v1/items/pen"), message).value(), R"({"name":"pen","tags":["a","b"]})");
  EXPECT_EQ(Transcoder().answer(route("PUT", "/v1/items/pen"), message).value(), R"(["a","b"])");
}

TEST(Transcoder, ARoutedRequestOutlivesItsRouterAndSchema) {
  std::optional<RoutedRequest> routed;
  {
    const auto router = ServiceRouter::make(shop_schema(), {{.service = "shop.Shop"}});
    routed.emplace(std::move(router->find("GET", "/v1/items/pen")).value());
  }
  EXPECT_EQ(Transcoder().request(*routed, "").value(), "\x0a\x03pen");
}

TEST(Transcoder, SaysWhatIsWrong) {
  const ServiceSchema schema = shop_schema();
  const auto bad_json = Transcoder().to_message(schema, "shop.Item", R"({"part": {"count": "many"}})");
  ASSERT_FALSE(bad_json);
  EXPECT_EQ(bad_json.failure().code, 3);
  EXPECT_EQ(bad_json.failure().http_status, 400);
  EXPECT_NE(bad_json.failure().message.find("part.count"), std::string::npos) << bad_json.failure().message;
  const auto bad_message = Transcoder().to_json(schema, "shop.Item", "\x0a\x05pen");
  ASSERT_FALSE(bad_message);
  EXPECT_EQ(bad_message.failure().code, 13);
  EXPECT_EQ(Transcoder().to_message(schema, "shop.Nothing", "{}").failure().code, 5);
  EXPECT_EQ(Transcoder().to_json(schema, "shop.Nothing", "").failure().code, 5);
}

TEST(Transcoder, SettingsHold) {
  const ServiceSchema schema = shop_schema();
  const auto reads = [&](TranscodeSettings settings, const char* json) {
    return Transcoder(settings).to_message(schema, "shop.Item", json).has_value();
  };
  EXPECT_FALSE(reads({}, R"({"x": 1})"));
  EXPECT_TRUE(reads({.ignore_unknown_fields = true}, R"({"x": 1})"));
  EXPECT_FALSE(reads({}, R"({"count": 1, "count": 2})"));
  EXPECT_TRUE(reads({.last_duplicate_key_wins = true}, R"({"count": 1, "count": 2})"));
  EXPECT_TRUE(reads({.depth_max = 2}, R"({"part": {"count": 1}})"));
  EXPECT_FALSE(reads({.depth_max = 2}, R"({"part": {"part": {"count": 1}}})"));
  EXPECT_TRUE(reads({.message_bytes_max = 5}, R"({"name": "pen"})"));
  EXPECT_FALSE(reads({.message_bytes_max = 4}, R"({"name": "pen"})"));
  const TranscodeSettings all{.always_print_fields_with_no_presence = true};
  EXPECT_EQ(Transcoder(all).to_json(schema, "shop.Item", "").value(), R"({"name":"","count":0,"tags":[]})");
  EXPECT_FALSE(Transcoder({.json_bytes_max = 4}).to_json(schema, "shop.Item", "\x0a\x03pen"));
}

}  // namespace
}  // namespace transom
