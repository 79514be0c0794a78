#include "base/reason_phrase.h"

#include <gtest/gtest.h>

namespace transom {
namespace {

TEST(ReasonPhrase, IsThatOfRfc9110) {
  EXPECT_EQ(reason_phrase(101), "Switching Protocols");
  EXPECT_EQ(reason_phrase(200), "OK");
  EXPECT_EQ(reason_phrase(404), "Not Found");
  EXPECT_EQ(reason_phrase(431), "Request Header Fields Too Large");
  EXPECT_EQ(reason_phrase(504), "Gateway Timeout");
  EXPECT_EQ(reason_phrase(599), "");
  EXPECT_EQ(reason_phrase(100), "");
}

}  // namespace
}  // namespace transom
