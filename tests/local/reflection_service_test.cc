#include "local/reflection_service.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "local/local_bench.h"
#include "schema/schema_loader.h"
#include "support/proto_text.h"

namespace transom {
namespace {

using google::protobuf::FileDescriptorProto;
using google::protobuf::Message;
using testing::ElementsAre;
using testing::HasSubstr;

SchemaPtr load(const std::map<std::string, std::string>& files) {
  SchemaLoader loader;
  check(loader.add_descriptor_set(descriptor_set_of(files), "the test").ok(), "a set");
  return *loader.load();
}

SchemaPtr first() {
  static const SchemaPtr schema = load({
      {"shop/items.proto",
       R"(syntax = "proto2"; package shop; message Item { optional string name = 1; extensions 100 to 199; })"},
      {"shop/extra.proto", R"(syntax = "proto2"; package shop; import "shop/items.proto";
                              extend Item { optional int32 price = 120; optional int32 weight = 101; })"},
      {"shop/shop.proto",
       R"(syntax = "proto3"; package shop; import "shop/items.proto"; import "google/api/annotations.proto";
                             service Shop { rpc Sell(Item) returns (Item) { option (google.api.http) = { get: "/sell" }; } })"},
  });
  return schema;
}

SchemaPtr second() {
  static const SchemaPtr schema = load(
      {{"shop/shop.proto",
        R"(syntax = "proto3"; package other; message Only { string here = 1; } service Other { rpc Do(Only) returns (Only); })"}});
  return schema;
}

class ReflectionServiceTest : public testing::Test {
 protected:
  ReflectionServiceTest() {
    served_ = std::make_shared<const ServedServices>(std::vector<ServedService>{
        {"shop.Shop", {0}, first()}, {"other.Other", {1}, second()}, {"late.Service", {1}, nullptr}});
  }

  // The whole response to a request, both in protobuf's text format.
  std::string ask(const std::string& request) {
    service_.on_message(messages_.encode("grpc.reflection.v1.ServerReflectionRequest", request));
    return messages_.decode("grpc.reflection.v1.ServerReflectionResponse", answer_.messages.back());
  }

  // Names of the files that come in answer.
  std::vector<std::string> files(const std::string& request) {
    std::vector<std::string> names;
    for (const FileDescriptorProto& file : descriptors(request))
      names.push_back(file.name());
    return names;
  }

  std::vector<FileDescriptorProto> descriptors(const std::string& request) {
    ask(request);
    const auto whole = messages_.parse("grpc.reflection.v1.ServerReflectionResponse", answer_.messages.back());
    const auto* field = whole->GetDescriptor()->FindFieldByName("file_descriptor_response");
    if (!whole->GetReflection()->HasField(*whole, field)) {
      ADD_FAILURE() << whole->ShortDebugString();
      return {};
    }
    const Message& inner = whole->GetReflection()->GetMessage(*whole, field);
    const auto* bytes = inner.GetDescriptor()->FindFieldByName("file_descriptor_proto");
    std::vector<FileDescriptorProto> files;
    for (int i = 0; i < inner.GetReflection()->FieldSize(inner, bytes); ++i) {
      EXPECT_TRUE(files.emplace_back().ParseFromString(inner.GetReflection()->GetRepeatedString(inner, bytes, i)));
    }
    return files;
  }

  Loop loop_;
  AnswerRecord answer_{loop_};
  LocalMessages messages_;
  ServedServicesPtr served_;
  ReflectionService service_{answer_, [this] { return served_; }};
};

TEST_F(ReflectionServiceTest, ListsTheServicesWhoseSchemaIsKnown) {
  EXPECT_EQ(ask("host: \"h\" list_services: \"*\""),
            "valid_host: \"h\" original_request { host: \"h\" list_services: \"*\" } "
            "list_services_response { service { name: \"other.Other\" } service { name: \"shop.Shop\" } }");
}

TEST_F(ReflectionServiceTest, AFileComesWithAllThatItImportsAndNoneTwice) {
  EXPECT_THAT(files("file_containing_symbol: \"shop.Shop\""),
              ElementsAre("shop/shop.proto", "shop/items.proto", "google/api/annotations.proto",
                          "google/api/http.proto", "google/protobuf/descriptor.proto"));
  EXPECT_THAT(files("file_by_filename: \"shop/extra.proto\""), ElementsAre("shop/extra.proto"));
  EXPECT_THAT(files("file_by_filename: \"shop/items.proto\""), ElementsAre("shop/items.proto"));
}

TEST_F(ReflectionServiceTest, AnySymbolLeadsToItsFile) {
  for (const char* symbol : {"shop.Item", "shop.Item.name", "shop.Shop.Sell", "shop.Shop"}) {
    EXPECT_FALSE(files(std::string("file_containing_symbol: \"") + symbol + "\"").empty()) << symbol;
  }
  EXPECT_THAT(files("file_containing_symbol: \"shop.price\""), ElementsAre("shop/extra.proto"));
  EXPECT_THAT(files("file_containing_symbol: \"other.Only.here\""), ElementsAre("shop/shop.proto"));
}

TEST_F(ReflectionServiceTest, TheHttpRulesOfAMethodComeWithIt) {
  const auto method = descriptors("file_by_filename: \"shop/shop.proto\"")[0].service(0).method(0);
  EXPECT_THAT(method.options().SerializeAsString(), HasSubstr("/sell"));
}

TEST_F(ReflectionServiceTest, ExtensionsAreFoundByTypeAndNumber) {
  EXPECT_THAT(files("file_containing_extension { containing_type: \"shop.Item\" extension_number: 120 }"),
              ElementsAre("shop/extra.proto", "shop/items.proto"));
  EXPECT_THAT(ask("all_extension_numbers_of_type: \"shop.Item\""),
              HasSubstr("all_extension_numbers_response { base_type_name: \"shop.Item\" extension_number: 101 "
                        "extension_number: 120 }"));
  EXPECT_THAT(ask("all_extension_numbers_of_type: \"other.Only\""),
              HasSubstr("all_extension_numbers_response { base_type_name: \"other.Only\" }"));
}

TEST_F(ReflectionServiceTest, WhatIsNotThereIsNotFoundAndTheStreamGoesOn) {
  const struct {
    const char* request;
    const char* error;
  } rows[] = {
      {"file_by_filename: \"none.proto\"", "error_code: 5 error_message: \"file not found: none.proto\""},
      {"file_containing_symbol: \"shop.None\"", "error_code: 5 error_message: \"symbol not found: shop.None\""},
      {"file_containing_extension { containing_type: \"shop.Item\" extension_number: 7 }", "error_code: 5"},
      {"all_extension_numbers_of_type: \"shop.Shop\"", "error_code: 5"},
      {"host: \"h\"", "error_code: 3"},
  };
  for (const auto& row : rows) {
    EXPECT_THAT(ask(row.request), HasSubstr(std::string("error_response { ") + row.error)) << row.request;
    EXPECT_FALSE(answer_.ended.has_value());
  }
  service_.on_half_close();
  EXPECT_TRUE(answer_.ended->ok());
}

TEST_F(ReflectionServiceTest, WhatIsNoRequestEndsTheCall) {
  service_.on_message("\x22\x7f");
  EXPECT_EQ(answer_.ended->code, Code::Internal);
}

TEST_F(ReflectionServiceTest, ASchemaThatComesLaterIsSeen) {
  served_ = std::make_shared<const ServedServices>(std::vector<ServedService>{{"other.Other", {0}, second()}});
  EXPECT_THAT(ask("list_services: \"\""), HasSubstr("list_services_response { service { name: \"other.Other\" } }"));
  EXPECT_THAT(ask("file_containing_symbol: \"shop.Item\""), HasSubstr("error_code: 5"));
}

}  // namespace
}  // namespace transom
