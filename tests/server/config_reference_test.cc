#include "server/config_reference.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

namespace transom {
namespace {

std::string read_file(const std::string& path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TEST(ConfigReference, ThePageIsCurrent) {
  const std::string root = TRANSOM_SOURCE_ROOT;
  const auto page = config_reference(root + "/proto", "/usr/include");
  ASSERT_TRUE(page.ok()) << page.status().message;
  if (*page == read_file(root + "/docs/configuration.md")) return;
  // Stays behind, for whoever is told.
  const std::string fresh = testing::TempDir() + "configuration-" + std::to_string(getpid()) + ".md";
  std::ofstream(fresh) << *page;
  ADD_FAILURE() << "config.proto has changed; the page as it should be: cp " << fresh << " docs/configuration.md";
}

TEST(ConfigReference, AProtoFileThatIsNotThereIsAnError) {
  EXPECT_FALSE(config_reference("/no/such/folder", "/usr/include").ok());
}

}  // namespace
}  // namespace transom
