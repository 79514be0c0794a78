#include "server/config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "support/temp_folder.h"

namespace transom {
namespace {

using testing::ElementsAre;

TEST(Configuration, IsReadFromAFileAndPathsStartBesideIt) {
  const std::string file = temp_folder() + "config_test.yaml";
  std::ofstream(file) << "listeners: [ { address: \"a:1\" } ]\nstate_dir: state\n";
  const Configuration configuration = load_configuration(file);
  EXPECT_THAT(configuration.report.lines(), ElementsAre());
  EXPECT_EQ(configuration.message.state_dir(), temp_folder() + "state");
}

TEST(Configuration, AFileThatCannotBeReadIsTold) {
  EXPECT_THAT(load_configuration("/no/such.yaml").report.lines(),
              ElementsAre("/no/such.yaml: cannot be read: No such file or directory"));
  EXPECT_THAT(load_configuration("/tmp").report.lines(), ElementsAre("/tmp: cannot be read: Is a directory"));
}

TEST(Configuration, ABackendWithoutASchemaHasTheProcesss) {
  const Configuration configuration = read_configuration(
      "listeners: [ { address: \"a:1\" } ]\n"
      "schema: [ { descriptor_set: common.pb } ]\n"
      "backends:\n"
      "  - { name: a, replicas: [ a:1 ] }\n"
      "  - { name: b, replicas: [ b:1 ], schema: [ { reflection: true } ] }\n",
      "c.yaml", "/etc");
  EXPECT_EQ(schema_sources_of(configuration.message, 0).path, "schema");
  EXPECT_EQ(schema_sources_of(configuration.message, 0).sources->Get(0).descriptor_set(), "/etc/common.pb");
  EXPECT_EQ(schema_sources_of(configuration.message, 1).path, "backends[1].schema");
  EXPECT_TRUE(schema_sources_of(configuration.message, 1).sources->Get(0).reflection());
}

}  // namespace
}  // namespace transom
