#include "server/blueprint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "server/summary.h"
#include "support/temp_folder.h"

namespace transom {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kProto =
    "syntax = \"proto3\"; package a; message M { string text = 1; } service B { rpc C(M) returns (M); }";
constexpr const char* kReflected =
    "listeners: [ { address: \"a:1\" } ]\n"
    "state_dir: state\n"
    "backends: [ { name: one, schema: [ { reflection: true } ], replicas: [ a:1 ] } ]\n"
    "routes: [ { service: a.B, backend: one } ]\n";

class BlueprintTest : public testing::Test {
 protected:
  BlueprintTest() : folder_(temp_folder() + "blueprint_test/") {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  std::string put(const std::string& name, const std::string& text) {
    std::ofstream(folder_ + name) << text;
    return folder_ + name;
  }
  std::string set_of(const std::string& proto) {
    put("a.proto", proto);
    SchemaLoader loader;
    EXPECT_TRUE(loader.add_proto_file(folder_ + "a.proto", {folder_}).ok());
    return loader.descriptor_set();
  }
  std::string folder_;
};

TEST_F(BlueprintTest, TellsErrorsOfEveryStage) {
  EXPECT_THAT(Blueprint(folder_ + "none.yaml").errors(), ElementsAre(HasSubstr("cannot be read")));
  EXPECT_THAT(Blueprint(put("a.yaml", "listeners: [ { address: x } ]")).errors(),
              ElementsAre(HasSubstr("expected host:port")));
  EXPECT_THAT(
      Blueprint(put("a.yaml", "listeners: [ { address: \"a:1\", tls: { certificate: no.pem, private_key: no.key } } ]"))
          .errors(),
      ElementsAre(testing::AllOf(HasSubstr("a.yaml:1:"), HasSubstr("listeners[0].tls"), HasSubstr("no.pem"))));
  EXPECT_THAT(Blueprint(put("a.yaml",
                            "listeners: [ { address: \"a:1\" } ]\nschema: [ { proto: no.proto } ]\n"
                            "backends: [ { name: b, replicas: [ a:1 ] } ]\n"))
                  .errors(),
              ElementsAre(HasSubstr("no.proto")));
}

TEST_F(BlueprintTest, AnAccessLogThatCannotBeWrittenIsTold) {
  const std::string head = "listeners: [ { address: \"a:1\" } ]\nlog: { access: { path: ";
  EXPECT_THAT(Blueprint(put("a.yaml", head + "none/access.log } }")).errors(),
              ElementsAre(testing::AllOf(HasSubstr("a.yaml:2:24: log.access.path: "), HasSubstr("No such file"))));
  EXPECT_THAT(Blueprint(put("a.yaml", head + "/tmp } }")).errors(), ElementsAre(HasSubstr("/tmp is a folder")));
  EXPECT_THAT(Blueprint(put("a.yaml", head + "access.log } }")).errors(), ElementsAre());
  EXPECT_EQ(Blueprint(put("a.yaml", head + "access.log } }")).access_log_path(), folder_ + "access.log");
}

TEST_F(BlueprintTest, WithoutACopyAReflectedSchemaIsAWarning) {
  Blueprint blueprint(put("a.yaml", kReflected));
  EXPECT_THAT(blueprint.errors(), ElementsAre());
  EXPECT_THAT(blueprint.warnings(), ElementsAre(HasSubstr("still to be reflected")));
  ASSERT_NE(blueprint.snapshot(), nullptr);
  EXPECT_EQ(route_lines(*blueprint.snapshot()->router), "");
}

TEST_F(BlueprintTest, TheLastGoodCopyStandsInForReflection) {
  const std::string file = put("a.yaml", kReflected);
  ASSERT_TRUE(SchemaCache(folder_ + "state").save(file, "one", set_of(kProto)).ok());
  Blueprint blueprint(file);
  EXPECT_THAT(blueprint.warnings(), ElementsAre());
  EXPECT_NE(route_lines(*blueprint.snapshot()->router), "");
}

TEST_F(BlueprintTest, ACopyThatIsBrokenIsAWarning) {
  const std::string file = put("a.yaml", kReflected);
  ASSERT_TRUE(SchemaCache(folder_ + "state").save(file, "one", "no descriptor set").ok());
  Blueprint blueprint(file);
  EXPECT_THAT(blueprint.errors(), ElementsAre());
  EXPECT_THAT(blueprint.warnings(), testing::Contains(HasSubstr("by the last good copy")));
  EXPECT_NE(blueprint.snapshot(), nullptr);
}

TEST_F(BlueprintTest, AReflectedSchemaThatDoesNotFitLeavesTheOneThatDoes) {
  const std::string file = put("a.yaml", kReflected);
  Blueprint blueprint(file);
  std::vector<std::string> complaints;
  const SnapshotPtr good = blueprint.take_reflected(0, {set_of(kProto), "one"}, complaints);
  ASSERT_NE(good, nullptr) << testing::PrintToString(complaints);
  EXPECT_EQ(blueprint.take_reflected(0, {"no descriptor set", "two"}, complaints), nullptr);
  EXPECT_FALSE(complaints.empty());
  EXPECT_EQ(blueprint.snapshot(), good);
  EXPECT_EQ(blueprint.builder().reflected(0)->source, "one");
}

}  // namespace
}  // namespace transom
