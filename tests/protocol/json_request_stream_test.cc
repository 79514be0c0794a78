#include "protocol/json_request_stream.h"

#include <gtest/gtest.h>

#include <string>

#include "protocol/demo_rules.h"

namespace transom {
namespace {

RequestBindings count_of_seven(const DemoRules& demo) {
  RequestBindings bindings;
  bindings.paths.push_back(std::make_unique<FieldPath>(*resolve_field_path(*demo.request.message, "count")));
  bindings.bindings.push_back(
      {.path = bindings.paths[0].get(), .origin = Origin::Path, .text = "7", .map_key = {}, .name = "count"});
  return bindings;
}

// Every message that is there, as the replica would read them, or the failure.
std::string messages(RequestMessages& request, Status* failure = nullptr) {
  std::string out;
  while (std::optional<Conversion> next = request.next()) {
    const Status status = next->run(out, nullptr);
    if (failure != nullptr) {
      *failure = status;
    }
    EXPECT_TRUE(status.ok() || failure != nullptr) << status.message;
  }
  return out;
}

const std::string kSeven = "\x10\x07";

TEST(JsonRequestStreamTest, EachElementIsAMessageAsSoonAsItIsThere) {
  const DemoRules demo;
  JsonRequestStream request(demo.rules, {}, false);
  ASSERT_TRUE(request.on_head({.content_type = "application/x-ndjson"}).ok());
  ASSERT_TRUE(request.on_bytes("{\"text\":\"hi\"}\n{\"te").ok());
  EXPECT_EQ(messages(request), framed(kHi));
  EXPECT_FALSE(request.is_done());
  ASSERT_TRUE(request.on_bytes("xt\":\"ho\"}").ok());
  EXPECT_EQ(messages(request), "");
  request.on_end();
  EXPECT_FALSE(request.is_done());
  EXPECT_EQ(messages(request), framed(kHo));
  EXPECT_TRUE(request.is_done());
  EXPECT_TRUE(request.is_stream());
}

TEST(JsonRequestStreamTest, BindingsGoIntoTheFirstMessageOrIntoEvery) {
  const DemoRules demo;
  for (const bool every : {false, true}) {
    JsonRequestStream request(demo.rules, count_of_seven(demo), every);
    ASSERT_TRUE(request.on_bytes("[{\"text\":\"hi\"},{\"text\":\"ho\"}]").ok());
    request.on_end();
    EXPECT_EQ(messages(request), framed(kHi + kSeven) + framed(every ? kHo + kSeven : kHo));
  }
}

TEST(JsonRequestStreamTest, NoBodyIsNoMessage) {
  const DemoRules demo;
  JsonRequestStream request(demo.rules, count_of_seven(demo), false);
  ASSERT_TRUE(request.on_head({.content_type = "text/plain", .content_length = 0}).ok());
  request.on_end();
  EXPECT_EQ(messages(request), "");
  EXPECT_TRUE(request.is_done());
}

TEST(JsonRequestStreamTest, ContentTypesDecideHowItIsCut) {
  const DemoRules demo;
  const struct {
    const char* type;
    const char* body;
    uint16_t refused;
  } cases[] = {
      {"application/x-ndjson; charset=utf-8", "{\"text\":\"hi\"}\n{\"text\":\"ho\"}", 0},
      {"Application/JSONL", "{\"text\":\"hi\"}\n{\"text\":\"ho\"}", 0},
      {"application/json", "[{\"text\":\"hi\"},{\"text\":\"ho\"}]", 0},
      {"application/json", "{\"text\":\"hi\"}{\"text\":\"ho\"}", 0},
      {"application/vnd.x+json", "{\"text\":\"hi\"} {\"text\":\"ho\"}", 0},
      {"", "{\"text\":\"hi\"}\n\n{\"text\":\"ho\"}", 0},
      {"text/plain", "{\"text\":\"hi\"}", 415},
  };
  for (const auto& row : cases) {
    JsonRequestStream request(demo.rules, {}, false);
    Status status = request.on_head({.content_type = row.type});
    EXPECT_TRUE(status.ok());
    status = request.on_bytes(row.body);
    request.on_end();
    EXPECT_EQ(status.http_status, row.refused) << row.type;
    if (row.refused == 0) {
      EXPECT_EQ(messages(request), framed(kHi) + framed(kHo)) << row.type;
    }
  }
}

TEST(JsonRequestStreamTest, AMessageThatIsRefusedIsNamedByItsNumber) {
  const DemoRules demo;
  JsonRequestStream request(demo.rules, {}, false);
  ASSERT_TRUE(request.on_bytes("{\"text\":\"hi\"} {\"text\":5}").ok());
  request.on_end();
  Status failure;
  messages(request, &failure);
  EXPECT_EQ(failure.code, Code::InvalidArgument);
  EXPECT_EQ(failure.message.rfind("message 2: text: expected a string", 0), 0u) << failure.message;
}

TEST(JsonRequestStreamTest, ABrokenStreamFailsOnceAndIsNeverDone) {
  const DemoRules demo;
  JsonRequestStream request(demo.rules, {}, false);
  ASSERT_TRUE(request.on_bytes("[{}").ok());
  request.on_end();
  Status failure;
  EXPECT_EQ(messages(request, &failure), framed(""));
  EXPECT_EQ(failure.message, "the body ends inside its array, after 1 message");
  EXPECT_FALSE(request.is_done());
}

TEST(JsonRequestStreamTest, RawBytesAreMessagesAsTheyComeAndTheTypeStandsInTheFirst) {
  const DemoRules demo("google.api.HttpBody");
  JsonRequestStream request(demo.rules, {}, false);
  ASSERT_TRUE(request.on_head({.content_type = "image/png"}).ok());
  ASSERT_TRUE(request.on_bytes("ab").ok());
  EXPECT_EQ(messages(request), framed("\x0a\x09image/png\x12\x02" "ab"));
  ASSERT_TRUE(request.on_bytes("cd").ok());
  EXPECT_EQ(messages(request), framed("\x12\x02" "cd"));
  request.on_end();
  EXPECT_TRUE(request.is_done());
}

}  // namespace
}  // namespace transom
