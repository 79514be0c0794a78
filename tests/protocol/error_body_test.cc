#include "protocol/error_body.h"

#include <gtest/gtest.h>

#include <string>

#include "protocol/demo_rules.h"

namespace transom {
namespace {

TEST(ErrorBodyTest, HasTheOneShape) {
  EXPECT_EQ(error_body(replica_error(Code::NotFound, "no \"x\"\n")), R"({"code":5,"message":"no \"x\"\n","details":[]})");
  EXPECT_EQ(error_body(replica_error(static_cast<Code>(77), "")), R"({"code":77,"message":"","details":[]})");
}

TEST(ErrorBodyTest, DetailsAreExpandedByTheSchemaOrKeptAsBase64) {
  Status status = replica_error(Code::InvalidArgument, "bad");
  // google.rpc.Status{details: [Any{type_url, value}]}, by hand.
  const std::string type = "type.googleapis.com/demo.Text";
  const std::string any = "\x0a" + std::string(1, static_cast<char>(type.size())) + type + "\x12\x04" + kHi;
  status.details = "\x1a" + std::string(1, static_cast<char>(any.size())) + any;
  EXPECT_EQ(error_body(status, demo_schema().get(), JsonOptions{}),
            R"({"code":3,"message":"bad","details":[{"@type":"type.googleapis.com/demo.Text","text":"hi"}]})");
  EXPECT_EQ(error_body(status),
            R"({"code":3,"message":"bad","details":[{"@type":"type.googleapis.com/demo.Text","value":"CgJoaQ=="}]})");
}

}  // namespace
}  // namespace transom
