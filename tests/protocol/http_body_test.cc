#include "protocol/http_body.h"

#include <gtest/gtest.h>

#include <string>

#include "protocol/demo_rules.h"

namespace transom {
namespace {

RequestShape field_shape() {
  RequestShape shape;
  shape.message = demo_schema()->find_message("demo.Parcel");
  shape.body = BodyKind::Field;
  shape.body_field = *resolve_field_path(*shape.message, "body");
  return shape;
}

TEST(HttpBodyTest, ShapesThatCarryItAreKnown) {
  EXPECT_TRUE(takes_http_body(DemoRules("google.api.HttpBody").request));
  EXPECT_TRUE(gives_http_body(DemoRules("google.api.HttpBody").response));
  EXPECT_TRUE(takes_http_body(field_shape()));
  EXPECT_FALSE(takes_http_body(DemoRules("demo.Text").request));
  EXPECT_FALSE(takes_http_body(DemoRules("demo.Parcel").request));
  EXPECT_FALSE(gives_http_body(DemoRules("demo.Parcel").response));
  RequestShape without_body = DemoRules("google.api.HttpBody").request;
  without_body.body = BodyKind::None;
  EXPECT_FALSE(takes_http_body(without_body));
}

// The wire of the protobuf encoding, by hand.
TEST(HttpBodyTest, IsWrittenAsTheMessageOrAsItsField) {
  std::string whole;
  append_http_body(DemoRules("google.api.HttpBody").request, "a/b", "xyz", whole);
  EXPECT_EQ(whole, "\x0a\x03" "a/b" "\x12\x03" "xyz");
  std::string field;
  append_http_body(field_shape(), "a/b", "xyz", field);
  EXPECT_EQ(field, "\xa2\x01\x0a" + whole);  // field 20, 10 bytes
  std::string empty;
  append_http_body(DemoRules("google.api.HttpBody").request, "", "", empty);
  EXPECT_EQ(empty, "");
  std::string large;
  append_http_body(DemoRules("google.api.HttpBody").request, "", std::string(300, 'x'), large);
  EXPECT_EQ(large.substr(0, 3), "\x12\xac\x02");
}

TEST(HttpBodyTest, IsReadFromTheMessageOrItsField) {
  const DemoRules whole("google.api.HttpBody");
  // data, then an extension, a varint, a fixed64 and a fixed32 that are skipped, then the type twice: the last wins.
  const std::string wire = std::string("\x12\x03xyz\x1a\x01x\x28\x80\x01") + "\x31" "12345678" + "\x3d" "1234" +
                           "\x0a\x01q\x0a\x03" "a/b";
  const Result<HttpBodyParts> parts = parse_http_body(whole.response, wire);
  ASSERT_TRUE(parts.ok());
  EXPECT_EQ(parts->content_type, "a/b");
  EXPECT_EQ(parts->data, "xyz");

  ResponseShape field;
  field.message = demo_schema()->find_message("demo.Parcel");
  field.body_field = field.message->find_field("body");
  EXPECT_TRUE(gives_http_body(field));
  const Result<HttpBodyParts> inner = parse_http_body(field, "\x0a\x01n\xa2\x01\x05\x12\x03xyz");
  ASSERT_TRUE(inner.ok());
  EXPECT_EQ(inner->data, "xyz");
  EXPECT_TRUE(parse_http_body(field, "")->data.empty());
}

TEST(HttpBodyTest, BrokenWireIsTheReplicasFault) {
  const DemoRules whole("google.api.HttpBody");
  for (std::string_view wire : {"\x12", "\x12\x05xyz", "\x13", "\x14", "\x12\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
                                "\x31" "1234", "\x80"}) {
    const Result<HttpBodyParts> parts = parse_http_body(whole.response, wire);
    ASSERT_FALSE(parts.ok());
    EXPECT_EQ(parts.status().code, Code::Internal);
    EXPECT_EQ(parts.status().fault, Fault::Replica);
  }
  EXPECT_FALSE(parse_http_body(whole.response, "\x0a\x04" "a\r\nb").ok());
}

}  // namespace
}  // namespace transom
