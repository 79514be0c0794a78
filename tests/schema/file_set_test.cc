#include "schema/file_set.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/descriptor.pb.h>
#include <gtest/gtest.h>

#include "support/proto_text.h"

namespace transom {
namespace {

using google::protobuf::DescriptorPool;
using google::protobuf::FileDescriptorProto;
using google::protobuf::FileDescriptorSet;

class FileSetTest : public testing::Test {
 protected:
  std::string add(const std::string& name, const std::string& text, const std::string& source) {
    FileDescriptorSet set;
    set.ParseFromString(descriptor_set_of({{name, text}}));
    return set_.add(set.file(0), source).message;
  }

  std::string build() {
    DescriptorPool pool;
    auto built = set_.build(pool);
    return built.ok() ? "" : built.status().message;
  }

  FileSet set_;
};

constexpr const char* kOne = "syntax = \"proto3\"; package t; message M { int32 a = 1; }";
constexpr const char* kTwo = "syntax = \"proto3\"; package t; message M { int64 a = 1; }";

TEST_F(FileSetTest, TakesTheSameFileTwiceAndRefusesAnotherNamingBothSources) {
  EXPECT_EQ(add("t.proto", kOne, "a.pb"), "");
  EXPECT_EQ(add("t.proto", std::string(kOne) + " option java_package = \"x\"; // comment\n", "b.pb"), "");
  EXPECT_EQ(add("t.proto", kTwo, "c.pb"), "t.proto of c.pb is not the same as that of a.pb");
}

TEST_F(FileSetTest, RefusesOneSymbolInTwoFilesNamingBoth) {
  add("t.proto", kOne, "a.pb");
  add("u.proto", kTwo, "b.pb");
  EXPECT_EQ(build(), "t.proto (a.pb) and u.proto (b.pb) both define t.M");
}

TEST_F(FileSetTest, ReplacesTheUsersCopyOfABuiltInFileThatHasNoMore) {
  EXPECT_EQ(add("google/rpc/status.proto",
                "syntax = \"proto3\"; package google.rpc; message Status { int32 code = 1; }", "a.pb"),
            "");
  EXPECT_EQ(set_.serialized(), "");
  DescriptorPool pool;
  ASSERT_TRUE(set_.build(pool).ok());
  EXPECT_NE(pool.FindFieldByName("google.rpc.Status.message"), nullptr);
}

TEST_F(FileSetTest, PrefersTheUsersCopyOfABuiltInFileThatHasAllAndMore) {
  EXPECT_EQ(add("google/protobuf/empty.proto",
                "syntax = \"proto3\"; package google.protobuf; message Empty {} message Fresh {}", "a.pb"),
            "");
  DescriptorPool pool;
  ASSERT_TRUE(set_.build(pool).ok());
  EXPECT_NE(pool.FindMessageTypeByName("google.protobuf.Fresh"), nullptr);
}

TEST_F(FileSetTest, RefusesACopyOfABuiltInFileThatContradictsIt) {
  EXPECT_EQ(add("google/rpc/status.proto",
                "syntax = \"proto3\"; package google.rpc; message Status { string code = 1; }", "a.pb"),
            "google/rpc/status.proto (a.pb) defines field google.rpc.Status.code otherwise than the built-in "
            "google/rpc/status.proto");
}

TEST_F(FileSetTest, LetsACopyUnderAnotherNameShutTheBuiltInOneOut) {
  EXPECT_EQ(add("vendored/status.proto", "syntax = \"proto3\"; package google.rpc; message Status { int32 code = 1; }",
                "a.pb"),
            "");
  DescriptorPool pool;
  auto built = set_.build(pool);
  ASSERT_TRUE(built.ok()) << built.status().message;
  EXPECT_EQ(pool.FindMessageTypeByName("google.rpc.Status")->file()->name(), "vendored/status.proto");
  EXPECT_NE(pool.FindMessageTypeByName("google.rpc.ErrorInfo"), nullptr);
}

TEST_F(FileSetTest, RefusesEditionsAndOtherSyntaxes) {
  for (const auto& [syntax, expected] :
       {std::pair{"editions", "t.proto (a.pb) is written in an edition; proto2 and proto3 are supported"},
        {"proto9", "t.proto (a.pb) has the unknown syntax \"proto9\""}}) {
    FileDescriptorProto file;
    file.set_name("t.proto");
    file.set_syntax(syntax);
    EXPECT_EQ(set_.add(file, "a.pb").message, expected);
  }
  EXPECT_EQ(set_.add({}, "a.pb").message, "a descriptor file of a.pb has no name");
}

TEST_F(FileSetTest, NamesFileAndSourceOfATypeThatIsNotThere) {
  FileDescriptorProto file;
  file.set_name("t.proto");
  file.set_syntax("proto3");
  auto* field = file.add_message_type()->add_field();
  file.mutable_message_type(0)->set_name("M");
  field->set_name("f");
  field->set_number(1);
  field->set_label(google::protobuf::FieldDescriptorProto::LABEL_OPTIONAL);
  field->set_type_name(".t.Gone");
  set_.add(file, "a.pb");
  const std::string error = build();
  EXPECT_EQ(error.rfind("t.proto (a.pb): M.f: ", 0), 0u) << error;
  EXPECT_NE(error.find("Gone"), std::string::npos) << error;
}

TEST_F(FileSetTest, DigestsContentNotCommentsNorOrder) {
  FileSet other;
  FileDescriptorSet files;
  files.ParseFromString(
      descriptor_set_of({{"t.proto", kOne}, {"u.proto", "syntax = \"proto3\"; package u; message N {}"}}));
  set_.add(files.file(0), "a");
  set_.add(files.file(1), "a");
  files.mutable_file(0)->mutable_source_code_info()->add_location();
  other.add(files.file(1), "b");
  EXPECT_NE(set_.digest(), other.digest());
  other.add(files.file(0), "b");
  EXPECT_EQ(set_.digest(), other.digest());
  EXPECT_EQ(set_.digest().size(), 32u);
}

}  // namespace
}  // namespace transom
