#include "protocol/request_messages.h"

#include <gtest/gtest.h>

#include "protocol/demo_rules.h"

namespace transom {
namespace {

TEST(RequestMessagesTest, ABodyMustBeJsonWithoutACoding) {
  const DemoRules demo;
  const DemoRules raw("google.api.HttpBody");
  const struct {
    const TranscodeRules& rules;
    std::optional<std::string_view> type;
    const char* coding;
    uint16_t refused;
  } cases[] = {
      {demo.rules, std::nullopt, "", 0},       {demo.rules, "", "identity", 0},
      {demo.rules, "application/json", "", 0}, {demo.rules, "text/plain", "", 415},
      {demo.rules, "application/json", "gzip", 415}, {raw.rules, "text/plain", "", 0},
      {raw.rules, "text/plain", "br", 415},
  };
  for (const auto& row : cases) {
    SlipSet slips;
    const BodyHead head{.content_type = row.type, .content_encoding = row.coding};
    EXPECT_EQ(check_body_type(row.rules, head, slips).http_status, row.refused) << row.type.value_or("none") << row.coding;
  }
}

}  // namespace
}  // namespace transom
