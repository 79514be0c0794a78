#include "protocol/error_body.h"

#include <gtest/gtest.h>

#include <string>

#include "protocol/demo_rules.h"

namespace transom {
namespace {

TEST(ErrorBodyTest, HasTheFormThatIsAskedFor) {
  const Status not_found = replica_error(Code::NotFound, "no \"x\"\n");
  const Status wrong_method = client_error(Code::Unimplemented, "GET only", 405);
  const Status odd = replica_error(static_cast<Code>(77), "");
  const Status gone = client_error(Code::Cancelled, "gone");
  const struct {
    const Status& status;
    ErrorForm form;
    const char* body;
  } cases[] = {
      {not_found, ErrorForm::Status, R"({"code":5,"message":"no \"x\"\n","details":[]})"},
      {wrong_method, ErrorForm::Status, R"({"code":12,"message":"GET only","details":[]})"},
      {odd, ErrorForm::Status, R"({"code":77,"message":"","details":[]})"},
      {not_found, ErrorForm::Envelope,
       R"({"error":{"code":404,"message":"no \"x\"\n","status":"NOT_FOUND","details":[]}})"},
      {wrong_method, ErrorForm::Envelope,
       R"({"error":{"code":405,"message":"GET only","status":"UNIMPLEMENTED","details":[]}})"},
      {odd, ErrorForm::Envelope, R"({"error":{"code":500,"message":"","status":"77","details":[]}})"},
      {not_found, ErrorForm::Problem,
       R"({"type":"about:blank","title":"Not Found","status":404,"detail":"no \"x\"\n","code":5,"details":[]})"},
      {wrong_method, ErrorForm::Problem,
       R"({"type":"about:blank","title":"Method Not Allowed","status":405,"detail":"GET only","code":12,"details":[]})"},
      {odd, ErrorForm::Problem,
       R"({"type":"about:blank","title":"Internal Server Error","status":500,"detail":"","code":77,"details":[]})"},
      {gone, ErrorForm::Problem,
       R"({"type":"about:blank","title":"Client Closed Request","status":499,"detail":"gone","code":1,"details":[]})"},
  };
  for (const auto& row : cases) {
    EXPECT_EQ(error_body(row.status, row.form), row.body);
  }
  EXPECT_EQ(content_type_of(ErrorForm::Status), "application/json");
  EXPECT_EQ(content_type_of(ErrorForm::Envelope), "application/json");
  EXPECT_EQ(content_type_of(ErrorForm::Problem), "application/problem+json");
}

TEST(ErrorBodyTest, DetailsAreExpandedByTheSchemaOrKeptAsBase64) {
  Status status = replica_error(Code::InvalidArgument, "bad");
  // google.rpc.Status{details: [Any{type_url, value}]}, by hand.
  const std::string type = "type.googleapis.com/demo.Text";
  const std::string any = "\x0a" + std::string(1, static_cast<char>(type.size())) + type + "\x12\x04" + kHi;
  status.details = "\x1a" + std::string(1, static_cast<char>(any.size())) + any;
  EXPECT_EQ(error_body(status, ErrorForm::Status, demo_schema().get(), JsonOptions{}),
            R"({"code":3,"message":"bad","details":[{"@type":"type.googleapis.com/demo.Text","text":"hi"}]})");
  EXPECT_EQ(error_body(status, ErrorForm::Status),
            R"({"code":3,"message":"bad","details":[{"@type":"type.googleapis.com/demo.Text","value":"CgJoaQ=="}]})");
  EXPECT_EQ(error_body(status, ErrorForm::Envelope, demo_schema().get(), JsonOptions{}),
            R"({"error":{"code":400,"message":"bad","status":"INVALID_ARGUMENT",)"
            R"("details":[{"@type":"type.googleapis.com/demo.Text","text":"hi"}]}})");
}

}  // namespace
}  // namespace transom
