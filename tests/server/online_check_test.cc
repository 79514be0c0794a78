#include "server/online_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "support/temp_folder.h"

namespace transom {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string put(const std::string& backends) {
  const std::string file = temp_folder() + "online_check_test.yaml";
  std::ofstream(file) << "listeners: [ { address: \"127.0.0.1:0\" } ]\nstate_dir: none\nbackends: " << backends;
  return file;
}

TEST(OnlineCheck, NamesEachReplicaThatDidNotAnswer) {
  Blueprint blueprint(
      put("[ { name: one, schema: [ { reflection: true } ], replicas: [ \"127.0.0.1:1\", \"127.0.0.1:2\" ] } ]\n"));
  ASSERT_TRUE(blueprint.errors().empty());
  EXPECT_THAT(check_online(blueprint), ElementsAre(HasSubstr("127.0.0.1:1"), HasSubstr("127.0.0.1:2")));
}

TEST(OnlineCheck, ABackendWithoutReflectionIsNotAsked) {
  Blueprint blueprint(put("[ { name: any, replicas: [ \"127.0.0.1:1\" ] } ]\n"));
  ASSERT_TRUE(blueprint.errors().empty());
  EXPECT_THAT(check_online(blueprint), ElementsAre());
}

}  // namespace
}  // namespace transom
