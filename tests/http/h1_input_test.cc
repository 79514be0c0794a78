#include "http/h1_input.h"

#include <gtest/gtest.h>

#include "base/limits.h"

namespace transom {
namespace {

TEST(H1InputTest, KeepsWhatWasNotConsumedInOrder) {
  MemoryAccount account(kMiB);
  H1Input input(&account);
  input.take("abcdef");
  input.consume(2);
  EXPECT_EQ(input.view(), "cdef");
  EXPECT_FALSE(input.has_kept());
  input.keep();
  EXPECT_TRUE(input.has_kept());
  EXPECT_EQ(input.view(), "");
  EXPECT_EQ(account.held_bytes(), 4U);
  input.take("gh");
  EXPECT_EQ(input.view(), "cdefgh");
  input.consume(1);
  input.keep();
  input.reopen();
  EXPECT_EQ(input.view(), "defgh");
  input.consume(5);
  input.keep();
  EXPECT_FALSE(input.has_kept());
  EXPECT_EQ(account.held_bytes(), 0U);
}

TEST(H1InputTest, ClearForgetsAll) {
  H1Input input(nullptr);
  input.take("abc");
  input.keep();
  input.reopen();
  input.clear();
  EXPECT_EQ(input.view(), "");
  EXPECT_EQ(input.kept_bytes(), 0U);
}

}  // namespace
}  // namespace transom
