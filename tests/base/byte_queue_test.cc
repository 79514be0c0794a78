#include "base/byte_queue.h"

#include <gtest/gtest.h>

namespace transom {
namespace {

TEST(ByteQueue, GivesBytesBackInOrderWhateverTheirSize) {
  ByteQueue queue;
  std::string expected;
  for (size_t n : {1UL, 5'000UL, 3UL, 20'000UL, 100UL, 4'096UL}) {
    std::string piece(n, static_cast<char>('a' + n % 26));
    expected += piece;
    queue.push(std::move(piece));
  }
  EXPECT_EQ(queue.size(), expected.size());
  std::string got;
  char buffer[777];
  while (!queue.empty()) {
    got.append(buffer, queue.read(buffer, sizeof buffer));
  }
  EXPECT_EQ(got, expected);
}

TEST(ByteQueue, ChargesWhatItHoldsAndGivesItBack) {
  MemoryAccount account(1'000);
  {
    ByteQueue queue(&account);
    queue.push(std::string_view("0123456789"));
    EXPECT_EQ(account.held_bytes(), 10U);
    queue.pop(4);
    EXPECT_EQ(account.held_bytes(), 6U);
    EXPECT_EQ(queue.front(), "456789");
  }
  EXPECT_EQ(account.held_bytes(), 0U);
}

TEST(ByteQueue, KeepsTheOrderThroughManyBlocks) {
  ByteQueue queue;
  std::string expected;
  std::string got;
  for (int i = 0; i < 2'000; ++i) {
    std::string piece(4'096 + static_cast<size_t>(i) % 5, static_cast<char>('a' + i % 26));
    expected += piece;
    queue.push(std::move(piece));
    if (i % 3 != 0) {  // it grows to some hundred blocks, and shrinks from the front all the while
      std::string_view front = queue.front();
      got.append(front);
      queue.pop(front.size());
    }
  }
  while (!queue.empty()) {
    got.append(queue.front().substr(0, 1'000));
    queue.pop(queue.front().substr(0, 1'000).size());
  }
  EXPECT_EQ(got, expected);
  queue.push(std::string("again"));
  EXPECT_EQ(queue.front(), "again");
}

TEST(ByteQueue, ClearForgetsEverything) {
  ByteQueue queue;
  queue.push(std::string(10'000, 'x'));
  queue.clear();
  EXPECT_TRUE(queue.empty());
  EXPECT_TRUE(queue.front().empty());
}

TEST(MemoryAccount, IsTightAt80AndExhaustedAt95Percent) {
  MemoryAccount account(1'000);
  Charge charge(&account);
  charge.set(800);
  EXPECT_FALSE(account.is_tight());
  charge.set(801);
  EXPECT_TRUE(account.is_tight());
  EXPECT_FALSE(account.is_exhausted());
  charge.set(951);
  EXPECT_TRUE(account.is_exhausted());
}

}  // namespace
}  // namespace transom
