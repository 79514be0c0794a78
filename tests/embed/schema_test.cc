#include "transom/schema.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "embed/schemas.h"

namespace transom {
namespace {

class ServiceSchemaTest : public testing::Test {
 protected:
  ServiceSchemaTest() {
    std::string name = testing::TempDir() + "embed_XXXXXX";
    folder_ = mkdtemp(name.data());
  }
  ~ServiceSchemaTest() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& bytes) {
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
    return folder_ / name;
  }

  std::filesystem::path folder_;
};

TEST_F(ServiceSchemaTest, TheSameIsLoadedFromEveryKindOfSource) {
  const std::string set = descriptor_set_of({{"shop.proto", kShopProto}});
  const SchemaSource sources[] = {
      shop_source(),
      SchemaSource::descriptor_set_file(write("shop.pb", set)),
      SchemaSource::proto_file(write("shop.proto", kShopProto)),
      SchemaSource::proto_file("shop.proto", {folder_}),
  };
  for (const SchemaSource& source : sources) {
    const auto schema = load_schema({source});
    ASSERT_TRUE(schema) << schema.failure().message;
    EXPECT_EQ(schema->services(), std::vector<std::string>{"shop.Shop"});
    EXPECT_TRUE(schema->has_service("shop.Shop"));
    EXPECT_FALSE(schema->has_service("shop.Item"));
    EXPECT_TRUE(schema->has_message("shop.Item"));
    EXPECT_TRUE(schema->has_message("google.rpc.Status")) << "is built in";
    EXPECT_FALSE(schema->has_message("shop.Nothing"));
  }
}

TEST_F(ServiceSchemaTest, RefusesAnEditionNamingTheFile) {
  const std::string edition = "edition = \"2023\"; package t; message M {}";
  // FileDescriptorSet{file{name: "new.proto" syntax: "editions"}}
  const std::string set = std::string(
      "\x0a\x15\x0a\x09new.proto\x62\x08"
      "editions",
      23);
  const SchemaSource sources[] = {
      SchemaSource::proto_file(write("new.proto", edition)),
      SchemaSource::descriptor_set(set, "set.pb"),
      SchemaSource::descriptor_set_file(write("set.pb", set)),
  };
  for (const SchemaSource& source : sources) {
    const auto schema = load_schema({source});
    ASSERT_FALSE(schema);
    EXPECT_EQ(schema.failure().code, 3);
    EXPECT_NE(schema.failure().message.find("new.proto"), std::string::npos) << schema.failure().message;
    EXPECT_NE(schema.failure().message.find("edition"), std::string::npos) << schema.failure().message;
  }
}

TEST_F(ServiceSchemaTest, NamesWhatCannotBeLoaded) {
  const std::string other = descriptor_set_of({{"shop.proto", "syntax = \"proto3\"; package other; message M {}"}});
  const std::pair<std::vector<SchemaSource>, std::string> cases[] = {
      {{SchemaSource::descriptor_set_file(folder_ / "none.pb")}, "none.pb"},
      {{SchemaSource::proto_file(folder_ / "none.proto")}, "none.proto"},
      {{SchemaSource::proto_file(write("bad.proto", "syntax = \"proto3\"; message {"))}, "bad.proto:1:"},
      {{SchemaSource::descriptor_set("\xff\xff", "bytes")}, "bytes"},
      {{shop_source(), SchemaSource::descriptor_set(other, "other.pb")}, "other.pb"},
  };
  for (const auto& [sources, name] : cases) {
    const auto schema = load_schema(sources);
    ASSERT_FALSE(schema) << name;
    EXPECT_NE(schema.failure().message.find(name), std::string::npos) << schema.failure().message;
  }
}

}  // namespace
}  // namespace transom
