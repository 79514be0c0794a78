#include "server/config_reference.h"

#include <gtest/gtest.h>

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
  const std::string fresh = testing::TempDir() + "configuration.md";
  std::ofstream(fresh) << *page;
  EXPECT_TRUE(*page == read_file(root + "/docs/configuration.md"))
      << "config.proto has changed; the page as it should be: cp " << fresh << " docs/configuration.md";
}

TEST(ConfigReference, AProtoFileThatIsNotThereIsAnError) {
  EXPECT_FALSE(config_reference("/no/such/folder", "/usr/include").ok());
}

}  // namespace
}  // namespace transom
