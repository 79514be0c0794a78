#include "proxy/cors.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "proxy/field_pairs.h"

namespace transom {
namespace {

Pairs answer(const CorsOptions& options, const Pairs& request, const Pairs& before = {}) {
  Fields fields = fields_of(before);
  Cors(options).fill_answer(fields_of(request), fields);
  return pairs_of(fields);
}

Pairs preflight(const CorsOptions& options, const Pairs& request, const std::string& methods) {
  Fields fields;
  Cors(options).fill_preflight(fields_of(request), methods, fields);
  return pairs_of(fields);
}

TEST(CorsTest, AnOriginIsAllowedExactlyOrByItsSuffix) {
  const struct {
    std::string allowed;
    std::string origin;
    bool expected;
  } rows[] = {
      {"https://shop.example", "https://shop.example", true},
      {"https://shop.example", "http://shop.example", false},
      {"https://shop.example", "https://shop.example:8443", false},
      {"https://shop.example", "https://shop.example.evil.test", false},
      {"https://shop.example", "https://a.shop.example", false},
      {"https://shop.example", "null", false},
      {"https://shop.example", "", false},
      {"http://localhost:3000", "http://localhost:3000", true},
      {"http://localhost:3000", "http://localhost:30000", false},
      {"http://localhost:3000", "http://localhost", false},
      {"https://*.shop.example", "https://a.shop.example", true},
      {"https://*.shop.example", "https://a.b.shop.example", true},
      {"https://*.shop.example", "https://shop.example", false},
      {"https://*.shop.example", "https://.shop.example", false},
      {"https://*.shop.example", "https://eshop.example", false},
      {"https://*.shop.example", "http://a.shop.example", false},
      {"https://*.shop.example", "https://a.shop.example:8443", false},
      {"https://*.shop.example", "https://evil.test/.shop.example", false},
      {"https://*.shop.example", "https://evil.test#.shop.example", false},
      {"https://*.shop.example", "https://evil.test:80.shop.example", false},
      {"https://*.shop.example", "https://me@evil.shop.example", false},
      {"https://*.shop.example:8443", "https://a.shop.example:8443", true},
      {"https://*.shop.example:8443", "https://a.shop.example", false},
      {"*", "https://anything.test", true},
      {"*", "null", true},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(Cors({.allow_origins = {row.allowed}}).allows(row.origin), row.expected)
        << row.allowed << " and " << row.origin;
  }
  EXPECT_FALSE(Cors({}).allows("https://shop.example"));
}

TEST(CorsTest, AnswersSayWhoMayReadThemAndThatTheyDifferByOrigin) {
  const Pairs from_shop = {{"origin", "https://shop.example"}};
  const Pairs vary = {{"vary", "Origin"}};
  CorsOptions options{.allow_origins = {"https://shop.example"}};
  EXPECT_EQ(answer(options, from_shop),
            (Pairs{{"vary", "Origin"}, {"access-control-allow-origin", "https://shop.example"}}));
  EXPECT_EQ(answer(options, {{"origin", "https://evil.test"}}), vary);
  EXPECT_EQ(answer(options, {}), vary);
  options.allow_credentials = true;
  options.expose_headers = {"X-Request-Id", "grpc-status"};
  EXPECT_EQ(answer(options, from_shop), (Pairs{{"vary", "Origin"},
                                               {"access-control-allow-origin", "https://shop.example"},
                                               {"access-control-allow-credentials", "true"},
                                               {"access-control-expose-headers", "x-request-id, grpc-status"}}));
  EXPECT_EQ(answer(options, {{"origin", "https://evil.test"}}), vary);
}

// Caches then need not tell origins apart, so nothing may depend on whether there is one.
TEST(CorsTest, AStarIsSaidToEverybody) {
  const CorsOptions options{.allow_origins = {"*"}};
  const Pairs star = {{"access-control-allow-origin", "*"}};
  EXPECT_EQ(answer(options, {{"origin", "https://shop.example"}}), star);
  EXPECT_EQ(answer(options, {}), star);
}

// The Fetch standard has no such combination, and an echoed origin would give everybody the user's cookies.
TEST(CorsTest, AStarNeverComesWithCredentials) {
  const CorsOptions options{.allow_origins = {"*"}, .allow_credentials = true};
  EXPECT_EQ(answer(options, {{"origin", "https://evil.test"}}), (Pairs{{"access-control-allow-origin", "*"}}));
}

TEST(CorsTest, WhatAReplicaSaysOfCorsIsReplaced) {
  const Pairs replicas = {{"access-control-allow-origin", "https://evil.test"},
                          {"x-model", "3"},
                          {"vary", "accept"},
                          {"access-control-allow-credentials", "true"},
                          {"access-control-allow-methods", "*"}};
  EXPECT_EQ(answer({.allow_origins = {"https://shop.example"}}, {{"origin", "https://evil.test"}}, replicas),
            (Pairs{{"x-model", "3"}, {"vary", "accept"}, {"vary", "Origin"}}));
}

TEST(CorsTest, APreflightIsOptionsWithBothOfItsFields) {
  const Pairs whole = {{"origin", "https://a.test"}, {"access-control-request-method", "POST"}};
  EXPECT_TRUE(Cors::is_preflight("OPTIONS", fields_of(whole)));
  EXPECT_FALSE(Cors::is_preflight("POST", fields_of(whole)));
  EXPECT_FALSE(Cors::is_preflight("OPTIONS", fields_of({whole[0]})));
  EXPECT_FALSE(Cors::is_preflight("OPTIONS", fields_of({whole[1]})));
}

TEST(CorsTest, APreflightIsToldTheMethodsOfItsPathAndNoMoreThanThoseOfTheList) {
  const struct {
    std::vector<std::string> allowed;
    std::string of_path;
    std::string expected;
  } rows[] = {
      {{}, "GET, HEAD, POST, OPTIONS", "GET, HEAD, POST, OPTIONS"},
      {{"*"}, "POST, OPTIONS", "POST, OPTIONS"},
      {{"GET", "POST", "DELETE"}, "GET, HEAD, POST, OPTIONS", "GET, POST"},
      {{"DELETE"}, "POST, OPTIONS", ""},
  };
  for (const auto& row : rows) {
    const CorsOptions options{.allow_origins = {"*"}, .allow_methods = row.allowed};
    const Pairs told = preflight(options, {{"origin", "https://a.test"}}, row.of_path);
    EXPECT_EQ(told[1], (Pairs::value_type{"access-control-allow-methods", row.expected})) << row.of_path;
  }
}

TEST(CorsTest, APreflightIsToldTheHeadersThatMayBeSent) {
  const std::string always =
      "accept, accept-language, content-language, content-type, x-request-id, x-request-timeout-seconds";
  const struct {
    std::vector<std::string> allowed;
    Pairs asked;
    std::string expected;
  } rows[] = {
      {{}, {}, always},
      {{}, {{"access-control-request-headers", "x-evil"}}, always},
      {{"Authorization", "x-key"}, {}, always + ", authorization, x-key"},
      {{"*"}, {{"access-control-request-headers", "authorization,x-key"}}, "authorization, x-key"},
      {{"*"}, {{"access-control-request-headers", "x-a, b ad\t, ,x-b"}}, "x-a, x-b"},
      {{"*"}, {}, ""},
  };
  for (const auto& row : rows) {
    Pairs request = row.asked;
    request.emplace_back("origin", "https://a.test");
    const CorsOptions options{.allow_origins = {"*"}, .allow_headers = row.allowed};
    EXPECT_EQ(preflight(options, request, "GET")[2], (Pairs::value_type{"access-control-allow-headers", row.expected}));
  }
}

TEST(CorsTest, APreflightSaysNoMoreThanItMust) {
  CorsOptions options{.allow_origins = {"https://a.test"}, .expose_headers = {"x-model"}};
  const Pairs allowed = {{"origin", "https://a.test"}};
  EXPECT_EQ(preflight(options, {{"origin", "https://evil.test"}}, "GET"), (Pairs{{"vary", "Origin"}}));
  EXPECT_EQ(preflight(options, allowed, "GET").size(), 4u);
  options.max_age = std::chrono::seconds(600);
  EXPECT_EQ(preflight(options, allowed, "GET").back(), (Pairs::value_type{"access-control-max-age", "600"}));
}

TEST(CorsTest, EntriesThatCouldNeverFitAreRefused) {
  for (const char* good : {"*", "https://shop.example", "http://localhost:3000", "https://*.shop.example:8443",
                           "http://127.0.0.1:8080", "http://[::1]:8080", "http://[::1]", "app://local"}) {
    EXPECT_TRUE(check_cors_origin(good).ok()) << good;
  }
  for (const char* bad : {"", "shop.example", "https://", "https://shop.example/", "https://shop.example/path",
                          "https://Shop.example", "https://shop.example:443", "http://shop.example:80", "https://*",
                          "https://*shop.example", "https://a.*.example", "https://shop.example:",
                          "https://shop.example:http", "null", "https://a b", "*.shop.example", "https://me@shop"}) {
    const Status status = check_cors_origin(bad);
    EXPECT_FALSE(status.ok()) << bad;
    EXPECT_NE(status.message.find("found \"" + std::string(bad) + "\""), std::string::npos) << status.message;
  }
  EXPECT_TRUE(check_cors_method("*").ok());
  EXPECT_TRUE(check_cors_method("PATCH").ok());
  EXPECT_FALSE(check_cors_method("patch").ok());
  EXPECT_FALSE(check_cors_method("").ok());
  EXPECT_TRUE(check_cors_header("X-Key").ok());
  EXPECT_FALSE(check_cors_header("x key").ok());
}

}  // namespace
}  // namespace transom
