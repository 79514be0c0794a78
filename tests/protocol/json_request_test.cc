#include "protocol/json_request.h"

#include <gtest/gtest.h>

#include <string>

#include "protocol/demo_rules.h"

namespace transom {
namespace {

std::string run(std::optional<Conversion> conversion) {
  std::string out;
  const Status status = conversion->run(out, nullptr);
  return status.ok() ? out : status.message;
}

TEST(JsonRequestTest, TheBodyIsOneMessageAtItsEnd) {
  const DemoRules demo;
  JsonRequest request(demo.rules, {});
  ASSERT_TRUE(request.on_head({.content_type = "application/json", .content_encoding = {}, .content_length = 13}).ok());
  ASSERT_TRUE(request.on_bytes(R"({"text")").ok());
  EXPECT_FALSE(request.next().has_value());
  ASSERT_TRUE(request.on_bytes(R"(:"hi"})").ok());
  EXPECT_FALSE(request.next().has_value());
  request.on_end();
  EXPECT_FALSE(request.is_done());
  EXPECT_EQ(run(request.next()), framed(kHi));
  EXPECT_TRUE(request.is_done());
  EXPECT_FALSE(request.next().has_value());
}

TEST(JsonRequestTest, WithoutABodyRuleTheBodyIsIgnored) {
  DemoRules demo;
  demo.request.body = BodyKind::None;
  JsonRequest request(demo.rules, {});
  ASSERT_TRUE(request.on_head({.content_type = "text/plain", .content_encoding = "br", .content_length = 1 << 30}).ok());
  EXPECT_TRUE(request.on_bytes("whatever").ok());
  EXPECT_FALSE(request.next().has_value()) << "its end is waited for";
  EXPECT_EQ(request.held_bytes(), 0u);
  request.on_end();
  EXPECT_EQ(run(request.next()), framed(""));
  EXPECT_TRUE(request.is_done());
}

TEST(JsonRequestTest, TheEndOfAnIgnoredBodyIsNotWaitedForBeyondABound) {
  DemoRules demo;
  demo.request.body = BodyKind::None;
  demo.limits.ignored_body = 10;
  JsonRequest request(demo.rules, {});
  ASSERT_TRUE(request.on_head({.content_type = {}, .content_encoding = {}, .content_length = 12}).ok());
  ASSERT_TRUE(request.on_bytes("0123456789").ok());
  EXPECT_FALSE(request.next().has_value());
  ASSERT_TRUE(request.on_bytes("a").ok());
  EXPECT_EQ(run(request.next()), framed(""));
  ASSERT_TRUE(request.on_bytes("b").ok());
  EXPECT_FALSE(request.next().has_value());
}

TEST(JsonRequestTest, TypesAndCodingsThatAreNotTakenAre415) {
  const struct {
    std::optional<std::string_view> type;
    std::string_view coding;
    uint16_t http_status;
  } cases[] = {
      {std::nullopt, "", 200},         {"application/json", "", 200}, {"application/json", "identity", 200},
      {"text/plain", "", 415},         {"", "", 200},                 {"application/json", "gzip", 415},
      {"application/x-ndjson", "", 415},
  };
  const DemoRules demo;
  for (const auto& row : cases) {
    for (const int64_t length : {int64_t{-1}, int64_t{2}}) {
      JsonRequest request(demo.rules, {});
      Status status = request.on_head({.content_type = row.type, .content_encoding = row.coding, .content_length = length});
      if (status.ok()) {
        status = request.on_bytes("{}");
      }
      EXPECT_EQ(http_status_of(status), row.http_status) << row.type.value_or("none") << " " << length;
    }
  }
}

TEST(JsonRequestTest, AnEmptyBodyIsNotChecked) {
  const DemoRules demo;
  for (const int64_t length : {int64_t{-1}, int64_t{0}}) {
    JsonRequest request(demo.rules, {});
    ASSERT_TRUE(request.on_head({.content_type = "text/plain", .content_encoding = {}, .content_length = length}).ok());
    request.on_end();
    EXPECT_EQ(run(request.next()), framed(""));
  }
}

TEST(JsonRequestTest, ABodyOverItsBoundIs413) {
  DemoRules demo;
  demo.limits.request_body = 10;
  JsonRequest declared(demo.rules, {});
  EXPECT_EQ(http_status_of(declared.on_head({.content_type = {}, .content_encoding = {}, .content_length = 11})), 413);
  JsonRequest grown(demo.rules, {});
  ASSERT_TRUE(grown.on_head({}).ok());
  EXPECT_TRUE(grown.on_bytes("0123456789").ok());
  EXPECT_EQ(http_status_of(grown.on_bytes("x")), 413);
}

TEST(JsonRequestTest, HttpBodyTakesAnyType) {
  const DemoRules demo("google.api.HttpBody");
  JsonRequest request(demo.rules, {});
  ASSERT_TRUE(request.on_head({.content_type = "image/png", .content_encoding = {}, .content_length = 3}).ok());
  ASSERT_TRUE(request.on_bytes("raw").ok());
  request.on_end();
  EXPECT_EQ(run(request.next()), framed("\x0a\x09image/png\x12\x03raw"));
}

}  // namespace
}  // namespace transom
