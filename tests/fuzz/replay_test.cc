// Every input of the corpus and some random ones, in the ordinary build and in the sanitizers'.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "fuzz/target.h"
#include "transcode/oracle.h"

namespace transom {
namespace {

class Fuzz : public testing::TestWithParam<const char*> {};

TEST_P(Fuzz, FindsNothingInTheCorpus) {
  const FuzzCheck check = find_check(GetParam());
  ASSERT_NE(check, nullptr);
  size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(TRANSOM_FUZZ_CORPUS "/" + std::string(GetParam()))) {
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    EXPECT_EQ(check(bytes), "") << entry.path();
    ++files;
  }
  EXPECT_GT(files, 50u);
}

TEST_P(Fuzz, FindsNothingInRandomBytes) {
  const FuzzCheck check = find_check(GetParam());
  for (uint32_t seed = 0; seed < 100; ++seed) {
    RandomBits random(seed);
    std::string bytes;
    for (uint32_t i = random.below(300); i > 0; --i) {
      bytes += static_cast<char>(random.below(256));
    }
    EXPECT_EQ(check(bytes), "") << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(All, Fuzz, testing::Values("json", "wire", "schema"),
                         [](const auto& each) { return std::string(each.param); });

}  // namespace
}  // namespace transom
