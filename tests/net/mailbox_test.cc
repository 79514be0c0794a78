#include "net/mailbox.h"

#include <gtest/gtest.h>

#include <atomic>
#include <optional>
#include <thread>
#include <vector>

#include "support/loop_runner.h"

namespace transom {
namespace {

TEST(Mailbox, DeliversOnTheLoopsThreadInEachSendersOrder) {
  Loop loop;
  Mailbox mailbox(loop);
  constexpr int kThreads = 4;
  constexpr int kLetters = 5'000;
  std::vector<std::vector<int>> received(kThreads);
  size_t total = 0;
  std::thread::id home = std::this_thread::get_id();
  std::vector<std::thread> senders;
  for (int t = 0; t < kThreads; ++t) {
    senders.emplace_back([&, t] {
      for (int i = 0; i < kLetters; ++i) {
        mailbox.post([&, t, i] {
          EXPECT_EQ(std::this_thread::get_id(), home);
          received[static_cast<size_t>(t)].push_back(i);
          ++total;
        });
      }
    });
  }
  EXPECT_TRUE(run_until(loop, [&] { return total == size_t{kThreads} * kLetters; }));
  for (std::thread& sender : senders) {
    sender.join();
  }
  for (const std::vector<int>& each : received) {
    EXPECT_TRUE(std::is_sorted(each.begin(), each.end()));
  }
}

TEST(Mailbox, ALetterPostedByALetterComesLater) {
  Loop loop;
  Mailbox mailbox(loop);
  std::string order;
  mailbox.post([&] {
    mailbox.post([&] { order += "second"; });
    order += "first ";
  });
  EXPECT_TRUE(run_until(loop, [&] { return order == "first second"; }));
}

TEST(Mailbox, ClosedItDropsWhatIsInsideAndTakesNoMore) {
  Loop loop;
  std::optional<Mailbox> mailbox(loop);
  Mailbox::Sender sender = mailbox->sender();
  auto held = std::make_shared<int>(1);
  int delivered = 0;
  EXPECT_TRUE(sender.post([&delivered, held] { ++delivered; }));
  EXPECT_EQ(held.use_count(), 2);
  mailbox.reset();
  EXPECT_EQ(held.use_count(), 1);
  EXPECT_FALSE(sender.post([&] { ++delivered; }));
  run_for(loop, std::chrono::milliseconds(5));
  EXPECT_EQ(delivered, 0);
}

TEST(Mailbox, MayBeClosedByItsOwnLetter) {
  Loop loop;
  std::optional<Mailbox> mailbox(loop);
  int delivered = 0;
  mailbox->post([&] {
    ++delivered;
    mailbox.reset();
  });
  mailbox->post([&] { ++delivered; });
  run_for(loop, std::chrono::milliseconds(5));
  EXPECT_EQ(delivered, 1);
}

TEST(Mailbox, MayBeClosedWhileOthersPost) {
  std::atomic<bool> is_over{false};
  for (int round = 0; round < 50; ++round) {
    Loop loop;
    std::optional<Mailbox> mailbox(loop);
    Mailbox::Sender sender = mailbox->sender();
    std::atomic<int> posted{0};
    std::thread poster([sender, &posted] {
      while (sender.post([] {})) {
        posted.fetch_add(1);
      }
    });
    run_until(loop, [&] { return posted.load() > 10; });
    mailbox.reset();
    poster.join();
    is_over = true;
  }
  EXPECT_TRUE(is_over);
}

}  // namespace
}  // namespace transom
