#include "schema/schema_files.h"

#include <google/protobuf/descriptor.pb.h>
#include <gtest/gtest.h>

#include "schema/schema_loader.h"
#include "support/proto_text.h"

namespace transom {
namespace {

constexpr const char* kProto = R"(
  syntax = "proto2";
  package p;
  import "google/api/annotations.proto";
  message M {
    optional string text = 1;
    oneof choice { int32 a = 2; int32 b = 3; }
    message Inner { enum Deep { ZERO = 0; } optional Deep deep = 1; }
    extensions 10 to max;
    extend M { optional int32 own = 12; }
  }
  enum E { FIRST = 0; }
  extend M { optional int32 far = 10; }
  service S { rpc Do(M) returns (M) { option (google.api.http) = { get: "/do" }; } }
)";

TEST(SchemaFiles, EverythingThatAFileDeclaresLeadsToIt) {
  const SchemaPtr schema = schema_of(kProto);
  for (const char* symbol : {"p.M", "p.M.text", "p.M.choice", "p.M.a", "p.M.Inner", "p.M.Inner.deep", "p.M.Inner.Deep",
                             "p.M.Inner.ZERO", "p.M.own", "p.E", "p.FIRST", "p.far", "p.S", "p.S.Do"}) {
    const SchemaFile* file = schema->files().find_by_symbol(symbol);
    ASSERT_NE(file, nullptr) << symbol;
    EXPECT_EQ(file->name, "test.proto");
  }
  for (const char* symbol : {"", "p", "p.None", ".p.M", "M", "p.E.FIRST"}) {
    EXPECT_EQ(schema->files().find_by_symbol(symbol), nullptr) << symbol;
  }
  EXPECT_TRUE(schema->files().has_message("p.M.Inner"));
  EXPECT_FALSE(schema->files().has_message("p.S"));
}

TEST(SchemaFiles, ExtensionsAreKnownByTypeAndNumber) {
  const SchemaPtr schema = schema_of(kProto);
  EXPECT_EQ(schema->files().extension_numbers("p.M"), (std::vector<int32_t>{10, 12}));
  EXPECT_EQ(schema->files().find_by_extension("p.M", 12), schema->files().find("test.proto"));
  EXPECT_EQ(schema->files().find_by_extension("p.M", 11), nullptr);
  EXPECT_EQ(schema->files().find_by_extension("p.E", 10), nullptr);
  // That of the http rules.
  EXPECT_NE(schema->files().find_by_extension("google.protobuf.MethodOptions", 72295728), nullptr);
}

TEST(SchemaFiles, AllFilesTogetherMakeTheSameSchemaAgain) {
  const SchemaPtr schema = schema_of(kProto);
  SchemaLoader loader;
  std::vector<const SchemaFile*> queue = {schema->files().find("test.proto")};
  for (size_t i = 0; i < queue.size(); ++i) {
    ASSERT_TRUE(loader.add_file_descriptor(queue[i]->bytes, "reflection").ok()) << queue[i]->name;
    for (const std::string& name : queue[i]->imports) {
      queue.push_back(schema->files().find(name));
      ASSERT_NE(queue.back(), nullptr) << name;
    }
  }
  const auto again = loader.load();
  ASSERT_TRUE(again.ok()) << again.status().message;
  ASSERT_NE((*again)->find_method("p.S.Do"), nullptr);
  EXPECT_EQ((*again)->find_method("p.S.Do")->rules.size(), 1u);
  EXPECT_EQ((*again)->find_method("p.S.Do")->rules[0].path, "/do");
}

}  // namespace
}  // namespace transom
