#include "control/reflection_messages.h"

#include <google/protobuf/descriptor.pb.h>
#include <gtest/gtest.h>

namespace transom {
namespace {

// By grpc/reflection/v1/reflection.proto: list_services is field 7, file_by_filename 3, file_containing_symbol 4.
TEST(ReflectionMessages, WritesTheRequestsOfThePublishedProto) {
  EXPECT_EQ(encode_reflection_request(ReflectionQuery::ListServices, ""), std::string("\x3a\x00", 2));
  EXPECT_EQ(encode_reflection_request(ReflectionQuery::FileByName, "a.proto"),
            "\x1a\x07"
            "a.proto");
  EXPECT_EQ(encode_reflection_request(ReflectionQuery::FileContainingSymbol, "a.B"),
            "\x22\x03"
            "a.B");
}

TEST(ReflectionMessages, ReadsFilesServicesAndRefusals) {
  auto files = parse_reflection_response("\x22\x06\x0a\x01x\x0a\x01y");
  ASSERT_TRUE(files.ok());
  EXPECT_EQ(files->files, (std::vector<std::string>{"x", "y"}));
  auto services = parse_reflection_response(
      "\x32\x07\x0a\x05\x0a\x03"
      "a.S");
  ASSERT_TRUE(services.ok());
  EXPECT_EQ(services->services, (std::vector<std::string>{"a.S"}));
  auto refusal = parse_reflection_response("\x3a\x08\x08\x05\x12\x04gone");
  ASSERT_TRUE(refusal.ok());
  EXPECT_EQ(refusal->refusal.code, Code::NotFound);
  EXPECT_EQ(refusal->refusal.message, "gone");
  EXPECT_EQ(refusal->refusal.fault, Fault::Replica);
}

TEST(ReflectionMessages, RefusesBytesThatAreNoMessage) {
  for (const char* bytes : {"\x22", "\x22\x02\x0a\x09", "\x32\x02\x0a\x09", "\x3a\x01\xff"}) {
    EXPECT_FALSE(parse_reflection_response(bytes).ok());
  }
  EXPECT_FALSE(parse_file_head("\xff").ok());
}

TEST(ReflectionMessages, ReadsNameAndImportsOfAFile) {
  google::protobuf::FileDescriptorProto proto;
  proto.set_name("a.proto");
  proto.add_dependency("b.proto");
  auto head = parse_file_head(proto.SerializeAsString());
  ASSERT_TRUE(head.ok());
  EXPECT_EQ(head->name, "a.proto");
  EXPECT_EQ(head->imports, (std::vector<std::string>{"b.proto"}));
}

}  // namespace
}  // namespace transom
