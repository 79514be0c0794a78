#include "base/version.h"

#include <gtest/gtest.h>

#include <regex>

namespace transom {
namespace {

TEST(Version, IsThreeNumbers) { EXPECT_TRUE(std::regex_match(version(), std::regex("[0-9]+\\.[0-9]+\\.[0-9]+"))) << version(); }

}  // namespace
}  // namespace transom
