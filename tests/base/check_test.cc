#include "base/check.h"

#include <gtest/gtest.h>

namespace transom {
namespace {

TEST(CheckDeathTest, EndsTheProcessWithTheReasonAndThePlace) {
  EXPECT_DEATH(check(false, "two and two are five"), "bug: two and two are five .*check_test");
}

TEST(CheckDeathTest, LetsTrueThingsPass) {
  check(true, "never told");
  EXPECT_TRUE(true);
}

}  // namespace
}  // namespace transom
