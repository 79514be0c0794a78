#include "schema/proto_importer.h"

#include <google/protobuf/descriptor.pb.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "schema/schema_loader.h"

namespace transom {
namespace {

class ProtoImporter : public testing::Test {
 protected:
  ProtoImporter() {
    std::string name = testing::TempDir() + "protos_XXXXXX";
    folder_ = mkdtemp(name.data());
  }
  ~ProtoImporter() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& text) {
    std::filesystem::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }

  std::string error_of(const std::string& path, const std::vector<std::string>& import_paths = {}) {
    std::vector<google::protobuf::FileDescriptorProto> files;
    return import_proto_file(path, import_paths, files).message;
  }

  std::filesystem::path folder_;
};

constexpr const char* kHeader = "syntax = \"proto3\";\npackage t;\n";

TEST_F(ProtoImporter, ParsesAFileWithAnnotationsAndImports) {
  write("parts/sub.proto", std::string(kHeader) + "message Sub { string name = 1; }");
  const std::string path = write("svc.proto", std::string(kHeader) + R"(
    import "parts/sub.proto"; import "google/api/annotations.proto"; import "google/protobuf/timestamp.proto";
    service S { rpc A(Sub) returns (Sub) { option (google.api.http) = { post: "/a" body: "*" }; } })");
  for (const std::vector<std::string>& import_paths : {std::vector<std::string>{}, {folder_}}) {
    SchemaLoader loader;
    Status status = loader.add_proto_file(path, import_paths);
    ASSERT_TRUE(status.ok()) << status.message;
    auto schema = loader.load();
    ASSERT_TRUE(schema.ok()) << schema.status().message;
    ASSERT_EQ((*schema)->find_method("t.S.A")->rules.size(), 1u);
    EXPECT_EQ((*schema)->find_method("t.S.A")->rules[0].path, "/a");
  }
}

TEST_F(ProtoImporter, FindsTheFileWithinTheImportPaths) {
  write("a/x.proto", std::string(kHeader) + "message M {}");
  std::vector<google::protobuf::FileDescriptorProto> files;
  EXPECT_TRUE(import_proto_file("a/x.proto", {folder_}, files).ok());
  ASSERT_EQ(files.size(), 1u);
  EXPECT_EQ(files[0].name(), "a/x.proto");
}

TEST_F(ProtoImporter, SaysWhereAFileIsWrong) {
  const std::string path = write("bad.proto", std::string(kHeader) + "message M {\n  int33 a = 1;\n}");
  EXPECT_EQ(error_of(path), path + ":4:3: \"int33\" is not defined.");
  const std::string broken = write("broken.proto", std::string(kHeader) + "message {");
  EXPECT_EQ(error_of(broken).rfind(broken + ":3:9: ", 0), 0u) << error_of(broken);
}

TEST_F(ProtoImporter, NamesTheFileThatWantsAMissingImport) {
  const std::string path = write("x.proto", std::string(kHeader) + "import \"gone.proto\";");
  EXPECT_EQ(error_of(path), path + ":3:1: Import \"gone.proto\" was not found or had errors.");
  EXPECT_NE(error_of(folder_ / "none.proto"), "");
}

TEST_F(ProtoImporter, RefusesEditions) {
  const std::string path = write("new.proto", "// comment\nedition = \"2023\";\npackage t;\nmessage M {}");
  EXPECT_NE(error_of(path).find("is written in an edition; proto2 and proto3 are supported"), std::string::npos)
      << error_of(path);
}

TEST_F(ProtoImporter, TakesGoogleProtobufFromTheBuiltInFilesAlone) {
  write("google/protobuf/timestamp.proto", "this is of a release to come");
  const std::string path = write("x.proto", std::string(kHeader) +
                                                "import \"google/protobuf/timestamp.proto\";"
                                                "message M { google.protobuf.Timestamp at = 1; }");
  EXPECT_EQ(error_of(path), "");
}

TEST_F(ProtoImporter, TakesTheFoldersOwnGoogleApi) {
  write("google/api/http.proto", "syntax = \"proto3\"; package google.api; message HttpRule { string get = 2; }");
  write("google/api/annotations.proto",
        "syntax = \"proto3\"; package google.api; import \"google/api/http.proto\";"
        "import \"google/protobuf/descriptor.proto\";"
        "extend google.protobuf.MethodOptions { HttpRule http = 72295728; }");
  const std::string path = write("x.proto", std::string(kHeader) + R"(import "google/api/annotations.proto";
    message M {} service S { rpc A(M) returns (M) { option (google.api.http) = { get: "/old" }; } })");
  SchemaLoader loader;
  Status status = loader.add_proto_file(path, {});
  ASSERT_TRUE(status.ok()) << status.message;
  auto schema = loader.load();
  ASSERT_TRUE(schema.ok()) << schema.status().message;
  EXPECT_EQ((*schema)->find_method("t.S.A")->rules[0].path, "/old");
}

}  // namespace
}  // namespace transom
