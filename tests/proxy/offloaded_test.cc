#include "proxy/offloaded.h"

#include <gtest/gtest.h>

#include <string>

#include "support/loop_runner.h"

namespace transom {
namespace {

TEST(OffloadedTest, TheResultComesBackToTheLoop) {
  Loop loop;
  Mailbox mailbox(loop);
  const std::unique_ptr<OffloadPool> pool = OffloadPool::make(1, 1 << 20);
  std::string result;
  const std::unique_ptr<Offloaded> work =
      Offloaded::start(*pool, mailbox, nullptr, Conversion::verbatim("abc"),
                       [&](Status status, const Conversion&, std::string&& out) { result = status.ok() ? out : "failed"; });
  ASSERT_NE(work, nullptr);
  EXPECT_TRUE(result.empty());
  EXPECT_TRUE(run_until(loop, [&] { return result == "abc"; }));
}

TEST(OffloadedTest, WhatIsDestroyedIsNotTold) {
  Loop loop;
  Mailbox mailbox(loop);
  const std::unique_ptr<OffloadPool> pool = OffloadPool::make(1, 1 << 20);
  bool is_told = false;
  std::unique_ptr<Offloaded> work = Offloaded::start(*pool, mailbox, nullptr, Conversion::verbatim("abc"),
                                                     [&](Status, const Conversion&, std::string&&) { is_told = true; });
  work.reset();
  run_for(loop, std::chrono::milliseconds(30));
  EXPECT_FALSE(is_told);
}

TEST(OffloadedTest, TheSnapshotLivesAsLongAsTheWork) {
  Loop loop;
  Mailbox mailbox(loop);
  const std::unique_ptr<OffloadPool> pool = OffloadPool::make(1, 1 << 20);
  auto snapshot = std::make_shared<const Snapshot>();
  const std::weak_ptr<const Snapshot> watched = snapshot;
  bool is_told = false;
  std::unique_ptr<Offloaded> work =
      Offloaded::start(*pool, mailbox, std::move(snapshot), Conversion::verbatim("abc"),
                       [&](Status, const Conversion&, std::string&&) { is_told = !watched.expired(); });
  EXPECT_TRUE(run_until(loop, [&] { return is_told; }));
  work.reset();
  EXPECT_TRUE(run_until(loop, [&] { return watched.expired(); }));
}

}  // namespace
}  // namespace transom
