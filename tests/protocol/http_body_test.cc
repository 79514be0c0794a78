#include "protocol/http_body.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

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
  append_http_body(DemoRules("google.api.HttpBody").request, {"a/b", ""}, "xyz", whole);
  EXPECT_EQ(whole, "\x0a\x03" "a/b" "\x12\x03" "xyz");
  std::string field;
  append_http_body(field_shape(), {"a/b", ""}, "xyz", field);
  EXPECT_EQ(field, "\xa2\x01\x0a" + whole);  // field 20, 10 bytes
  std::string empty;
  append_http_body(DemoRules("google.api.HttpBody").request, {}, "", empty);
  EXPECT_EQ(empty, "");
  std::string large;
  append_http_body(DemoRules("google.api.HttpBody").request, {}, std::string(300, 'x'), large);
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
  EXPECT_EQ(parts->extensions, std::vector<std::string_view>{"x"});

  ResponseShape field;
  field.message = demo_schema()->find_message("demo.Parcel");
  field.body_field = field.message->find_field("body");
  EXPECT_TRUE(gives_http_body(field));
  const Result<HttpBodyParts> inner = parse_http_body(field, "\x0a\x01n\xa2\x01\x05\x12\x03xyz");
  ASSERT_TRUE(inner.ok());
  EXPECT_EQ(inner->data, "xyz");
  EXPECT_TRUE(parse_http_body(field, "")->data.empty());
}

// An Any of type "t" with the value "v": 0a 01 74 12 01 76.
constexpr std::string_view kAny = "\x0a\x01t\x12\x01v";
constexpr std::string_view kAnyText = "CgF0EgF2";

TEST(HttpBodyTest, ExtensionsAreHeaderFieldsOfTheRequest) {
  const struct {
    std::vector<std::string> fields;
    size_t count;
  } kGood[] = {
      {{}, 0},
      {{"CgF0EgF2"}, 1},
      {{"CgF0EgF2,CgF0EgF2"}, 2},
      {{"CgF0EgF2 , CgF0EgF2", "CgF0EgF2"}, 3},
      {{"CgF0"}, 1},  // no value: the empty one
      {{"CgJ0dA=="}, 1},  // padded
      {{"CgJ0dA"}, 1},
  };
  for (const auto& [fields, count] : kGood) {
    Fields request;
    request.add("other-bin", "!");
    for (const std::string& field : fields) {
      request.add("http-body-extension-bin", field);
    }
    const Result<std::string> wire = read_extensions(request);
    ASSERT_TRUE(wire.ok());
    std::string message;
    append_http_body(DemoRules("google.api.HttpBody").request, {"", *wire}, "xyz", message);
    const Result<HttpBodyParts> parts = parse_http_body(DemoRules("google.api.HttpBody").response, message);
    ASSERT_TRUE(parts.ok());
    EXPECT_EQ(parts->extensions.size(), count);
    EXPECT_EQ(parts->data, "xyz");
  }
  // Not base64; not a message; without a type; with an empty one; one that is no UTF-8.
  for (std::string_view bad : {"!", "CgF0EgF2,!", "Cg", "CgJ0", "EgF2", "CgA", "CgH/"}) {
    Fields request;
    request.add("http-body-extension-bin", bad);
    const Result<std::string> wire = read_extensions(request);
    ASSERT_FALSE(wire.ok()) << bad;
    EXPECT_EQ(wire.status().code, Code::InvalidArgument);
    EXPECT_NE(wire.status().message.find("http-body-extension-bin"), std::string::npos);
  }
}

TEST(HttpBodyTest, ExtensionsAreHeaderFieldsOfTheAnswerUpToABound) {
  const DemoRules whole("google.api.HttpBody");
  const std::string extension = "\x1a\x06" + std::string(kAny);
  const std::string wire = extension + extension;
  const Result<HttpBodyParts> parts = parse_http_body(whole.response, wire);
  ASSERT_TRUE(parts.ok());
  Fields answer;
  EXPECT_TRUE(add_extensions(*parts, answer).ok());
  ASSERT_EQ(answer.size(), 2u);
  for (const Field field : answer) {
    EXPECT_EQ(field.name, "http-body-extension-bin");
    EXPECT_EQ(field.value, kAnyText);
  }
  // Many empty ones cost as much as a large one.
  for (const std::string& much : {"\x1a\x80\x80\x04" + std::string(64 * kKiB, 'x'), [] {
                                    std::string many;
                                    for (int i = 0; i < 4'000; ++i) {
                                      many += std::string_view("\x1a\0", 2);
                                    }
                                    return many;
                                  }()}) {
    const Result<HttpBodyParts> large = parse_http_body(whole.response, much);
    ASSERT_TRUE(large.ok());
    Fields none;
    const Status status = add_extensions(*large, none);
    EXPECT_EQ(status.code, Code::Internal);
    EXPECT_EQ(none.size(), 0u);
  }
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
