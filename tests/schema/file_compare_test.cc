#include "schema/file_compare.h"

#include <google/protobuf/descriptor.pb.h>
#include <gtest/gtest.h>

#include "support/proto_text.h"

namespace transom {
namespace {

using google::protobuf::FileDescriptorProto;
using google::protobuf::FileDescriptorSet;

FileDescriptorProto file_of(const std::string& body) {
  FileDescriptorSet set;
  set.ParseFromString(descriptor_set_of({{"t.proto", "syntax = \"proto3\"; package t; " + body}}));
  return set.file(0);
}

TEST(FileCompare, NormalizesAwayWhatDoesNotChangeTheMeaning) {
  FileDescriptorProto plain =
      file_of("message M { int32 foo_bar = 1; int32 b = 2 [json_name = \"x\"]; message N { int32 c_d = 1; } }");
  FileDescriptorProto dressed = plain;
  dressed.mutable_options()->set_java_package("com.t");
  dressed.mutable_source_code_info()->add_location();
  FileDescriptorProto bare = plain;
  bare.mutable_message_type(0)->mutable_field(0)->clear_json_name();
  bare.mutable_message_type(0)->mutable_nested_type(0)->mutable_field(0)->clear_json_name();
  FileDescriptorProto other = plain;
  other.mutable_message_type(0)->mutable_field(1)->clear_json_name();
  for (FileDescriptorProto* file : {&plain, &dressed, &bare, &other}) {
    normalize_file(*file);
  }
  EXPECT_EQ(dressed.SerializeAsString(), plain.SerializeAsString());
  EXPECT_EQ(bare.SerializeAsString(), plain.SerializeAsString());
  EXPECT_NE(other.SerializeAsString(), plain.SerializeAsString());
}

TEST(FileCompare, NamesTheFirstThingThatIsLacking) {
  const std::string larger =
      "enum E { Z = 0; ONE = 1; } message M { int32 a = 1; string b = 2; message N { int32 c = 1; enum F { Y = 0; } } "
      "} "
      "service S { rpc A(M) returns (M); rpc B(M) returns (M); }";
  struct Case {
    std::string smaller;
    std::string lacking;
  };
  const std::vector<Case> cases = {
      {larger, ""},
      {"message M { int32 a = 1; }", ""},
      {"message M { int32 z = 9; }", "field t.M.z"},
      {"message M { int64 a = 1; }", "field t.M.a"},
      {"message M { repeated int32 a = 1; }", "field t.M.a"},
      {"message M { int32 a = 3; }", "field t.M.a"},
      {"message M { message N { int32 d = 2; } }", "field t.M.N.d"},
      {"message M { message O {} }", "message t.M.O"},
      {"message O {}", "message t.O"},
      {"enum E { Z = 0; TWO = 2; }", "enum value t.E.TWO"},
      {"message M {} service S { rpc C(M) returns (M); }", "method t.S.C"},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(find_lacking(file_of(larger), file_of(c.smaller)), c.lacking) << c.smaller;
  }
}

}  // namespace
}  // namespace transom
