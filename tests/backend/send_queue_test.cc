#include "backend/send_queue.h"

#include <gtest/gtest.h>

namespace transom {
namespace {

std::string read_all(SendQueue& queue, size_t step) {
  std::string out;
  while (queue.size() > 0) {
    queue.read(out, std::min(step, queue.size()));
  }
  return out;
}

TEST(SendQueue, GivesBytesInOrderWhateverThePieces) {
  for (size_t piece : {1, 7, 4096, 20'000}) {
    SendQueue queue(nullptr, 0);
    std::string all;
    for (int i = 0; i < 50; ++i) {
      std::string bytes(piece, static_cast<char>('a' + i % 26));
      all += bytes;
      queue.push(std::move(bytes));
    }
    EXPECT_EQ(queue.size(), all.size());
    EXPECT_EQ(read_all(queue, 1000), all);
  }
}

TEST(SendQueue, RewindsToTheFirstByteWhileAllAreHeld) {
  SendQueue queue(nullptr, 100);
  queue.push("hello ");
  std::string out;
  queue.read(out, 4);
  queue.push("world");
  queue.read(out, 5);
  ASSERT_TRUE(queue.rewind());
  EXPECT_EQ(read_all(queue, 3), "hello world");
}

TEST(SendQueue, DoesNotRewindOnceMoreWasReadThanIsKept) {
  SendQueue queue(nullptr, 10);
  queue.push("0123456789ab");
  std::string out;
  queue.read(out, 11);
  EXPECT_FALSE(queue.rewind());
  EXPECT_EQ(read_all(queue, 5), "b");
}

TEST(SendQueue, RewindsWhenMoreThanIsKeptWasPushedButNotRead) {
  SendQueue queue(nullptr, 10);
  queue.push(std::string(100, 'x'));
  ASSERT_TRUE(queue.rewind());
  EXPECT_EQ(queue.size(), 100U);
}

TEST(SendQueue, ForgetsWhatWasRead) {
  SendQueue queue(nullptr, 100);
  queue.push("abc");
  std::string out;
  queue.read(out, 1);
  queue.forget();
  EXPECT_FALSE(queue.rewind());
  EXPECT_EQ(read_all(queue, 1), "bc");
}

TEST(SendQueue, ChargesWhatItHolds) {
  MemoryAccount account(1000);
  SendQueue queue(&account, 0);
  queue.push(std::string(600, 'x'));
  EXPECT_EQ(account.held_bytes(), 600U);
  std::string out;
  queue.read(out, 600);
  EXPECT_EQ(account.held_bytes(), 0U);

  SendQueue keeping(&account, 600);
  keeping.push(std::string(600, 'x'));
  keeping.read(out, 600);
  EXPECT_EQ(account.held_bytes(), 600U);
  keeping.forget();
  EXPECT_EQ(account.held_bytes(), 0U);
}

TEST(SendQueue, HoldsNoReadBlocksOfALongStream) {
  MemoryAccount account(size_t{1} << 30);
  SendQueue queue(&account, 0);
  std::string out;
  for (int i = 0; i < 10'000; ++i) {
    queue.push(std::string(30'000, 'x'));
    if (i > 0) {
      out.clear();
      queue.read(out, 30'000);
    }
    ASSERT_LE(account.held_bytes(), 60'000U);
  }
}

TEST(SendQueue, MovesWithItsContent) {
  MemoryAccount account(1000);
  SendQueue first(&account, 100);
  first.push("abc");
  first.end();
  SendQueue second = std::move(first);
  EXPECT_TRUE(second.is_ended());
  EXPECT_EQ(read_all(second, 1), "abc");
  EXPECT_EQ(account.held_bytes(), 3U);
  second.clear();
  EXPECT_EQ(account.held_bytes(), 0U);
  EXPECT_FALSE(second.rewind());
}

}  // namespace
}  // namespace transom
