#include "transom/router.h"

#include <gtest/gtest.h>

#include "embed/schemas.h"

namespace transom {
namespace {

ServiceRouter router_of(const ServiceRoutes& routes, RoutingSettings settings = {}) {
  auto router = ServiceRouter::make(shop_schema(), {routes}, settings);
  EXPECT_TRUE(router) << router.failure().message;
  return std::move(router).value();
}

TEST(ServiceRouter, FindsTheRpcOfARequest) {
  const ServiceRouter router = router_of({.service = "shop.Shop"});
  const auto get = router.find("GET", "/v1/items/pen?count=3");
  ASSERT_TRUE(get) << get.failure().message;
  EXPECT_EQ(get->rpc_path(), "/shop.Shop/Get");
  EXPECT_EQ(get->route(), "/v1/items/{name}");
  EXPECT_FALSE(get->takes_body());
  EXPECT_FALSE(get->is_server_streaming());
  const auto put = router.find("PUT", "/v1/items/pen");
  ASSERT_TRUE(put) << put.failure().message;
  EXPECT_EQ(put->rpc_path(), "/shop.Shop/Put");
  EXPECT_TRUE(put->takes_body());
  const auto watch = router.find("POST", "/shop.Shop/Watch");
  ASSERT_TRUE(watch) << watch.failure().message;
  EXPECT_TRUE(watch->is_server_streaming());
  EXPECT_FALSE(watch->is_client_streaming());
}

TEST(ServiceRouter, RulesReplaceAnnotations) {
  const ServiceRouter router = router_of(
      {.service = "shop.Shop",
       .rules =
           {{.selector = "shop.Shop.Get", .method = "GET", .path = "/{name}:read", .body = "", .response_body = ""}},
       .path_prefix = "/shop",
       .hosts = {"*.example"}});
  EXPECT_TRUE(router.find("GET", "/shop/pen:read", "a.example:80"));
  EXPECT_FALSE(router.find("GET", "/shop/pen:read", "a.test"));
  EXPECT_FALSE(router.find("GET", "/shop/v1/items/pen", "a.example"));
}

TEST(ServiceRouter, SaysWhyNothingWasFound) {
  const ServiceRouter router = router_of({.service = "shop.Shop"});
  struct Case {
    std::string method, target;
    int code, status;
    std::string allow;
  };
  const Case cases[] = {
      {"GET", "/nowhere", 5, 404, ""},
      {"DELETE", "/v1/items/pen", 12, 405, "GET, HEAD, PUT, OPTIONS"},
      {"GET", "/v1/items/%zz", 3, 400, ""},
      {"GET", "/v1/items/pen?nothing=1", 3, 400, ""},
  };
  for (const Case& c : cases) {
    const auto routed = router.find(c.method, c.target);
    ASSERT_FALSE(routed) << c.target;
    EXPECT_EQ(routed.failure().code, c.code) << c.target;
    EXPECT_EQ(routed.failure().http_status, c.status) << c.target;
    EXPECT_EQ(routed.failure().allow, c.allow) << c.target;
    EXPECT_NE(routed.failure().message, "") << c.target;
  }
}

TEST(ServiceRouter, SettingsHold) {
  const ServiceRoutes routes{.service = "shop.Shop"};
  EXPECT_TRUE(router_of(routes, {.ignore_unknown_query_parameters = true}).find("GET", "/v1/items/pen?nothing=1"));
  EXPECT_TRUE(router_of(routes).find("GET", "/v1/items/pen/"));
  EXPECT_FALSE(router_of(routes, {.tolerate_trailing_slash = false}).find("GET", "/v1/items/pen/"));
  EXPECT_TRUE(router_of(routes).find("GET", "/v1/items/pen?name=x"));
  EXPECT_FALSE(router_of(routes, {.strict = true}).find("GET", "/v1/items/pen?name=x"));
}

TEST(ServiceRouter, IsNotMadeOfWhatIsWrong) {
  const auto with_path = [](std::string path) {
    return ServiceRoutes{.service = "shop.Shop", .rules = {{"shop.Shop.Get", "GET", std::move(path), "", ""}}};
  };
  const std::pair<ServiceRoutes, std::string> cases[] = {
      {{.service = "shop.Nothing"}, "shop.Nothing"},
      {with_path("/a/{nothing}"), "nothing"},
      {with_path("/a//b"), "shop.Shop.Get"},
  };
  for (const auto& [routes, name] : cases) {
    const auto router = ServiceRouter::make(shop_schema(), {routes});
    ASSERT_FALSE(router) << name;
    EXPECT_EQ(router.failure().code, 3);
    EXPECT_NE(router.failure().message.find(name), std::string::npos) << router.failure().message;
  }
}

}  // namespace
}  // namespace transom
