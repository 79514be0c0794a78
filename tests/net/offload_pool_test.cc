#include "net/offload_pool.h"

#include <gtest/gtest.h>
#include <pthread.h>

#include <condition_variable>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include "support/loop_runner.h"

namespace transom {
namespace {

// Work that holds its thread until opened.
class Gate {
 public:
  void open() {
    std::lock_guard lock(mutex_);
    is_open_ = true;
    changed_.notify_all();
  }
  void pass() {
    std::unique_lock lock(mutex_);
    ++arrived_;
    changed_.notify_all();
    changed_.wait(lock, [this] { return is_open_; });
  }
  void wait_for_arrivals(int count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return arrived_ >= count; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int arrived_ = 0;
  bool is_open_ = false;
};

void do_nothing(const std::atomic<bool>&) {}

TEST(OffloadPool, RunsWorkElsewhereAndBringsTheResultHome) {
  Loop loop;
  Mailbox mailbox(loop);
  auto pool = OffloadPool::make(2, 1024);
  struct Sum {
    int result = 0;
    std::thread::id worker;
    std::string thread_name;
  };
  auto sum = std::make_shared<Sum>();
  bool is_done = false;
  auto ticket = pool->submit(
      10,
      [sum](const std::atomic<bool>&) {
        for (int i = 1; i <= 100; ++i) {
          sum->result += i;
        }
        sum->worker = std::this_thread::get_id();
        char name[16];
        pthread_getname_np(pthread_self(), name, sizeof(name));
        sum->thread_name = name;
      },
      mailbox, [&] { is_done = true; });
  ASSERT_NE(ticket, nullptr);
  ASSERT_TRUE(run_until(loop, [&] { return is_done; }));
  EXPECT_EQ(sum->result, 5050);
  EXPECT_NE(sum->worker, std::this_thread::get_id());
  EXPECT_TRUE(sum->thread_name.starts_with("offload-")) << sum->thread_name;
  EXPECT_EQ(sum.use_count(), 1);  // the work is gone before on_done
}

TEST(OffloadPool, ATicketMayBeDestroyedByItsOwnOnDone) {
  Loop loop;
  Mailbox mailbox(loop);
  auto pool = OffloadPool::make(1, 1024);
  std::unique_ptr<OffloadPool::Ticket> ticket;
  ticket = pool->submit(1, do_nothing, mailbox, [&] { ticket.reset(); });
  EXPECT_TRUE(run_until(loop, [&] { return ticket == nullptr; }));
}

TEST(OffloadPool, WithoutItsTicketWorkIsToldAndNothingComesBack) {
  Loop loop;
  Mailbox mailbox(loop);
  Gate gate;
  auto pool = OffloadPool::make(1, 1024);
  auto saw_cancel = std::make_shared<std::atomic<bool>>(false);
  int done = 0;
  auto ticket = pool->submit(
      1,
      [&gate, saw_cancel](const std::atomic<bool>& is_cancelled) {
        gate.pass();
        saw_cancel->store(is_cancelled.load());
      },
      mailbox, [&] { ++done; });
  gate.wait_for_arrivals(1);
  ticket.reset();
  gate.open();
  EXPECT_TRUE(run_until(loop, [&] { return saw_cancel->load(); }));
  run_for(loop, std::chrono::milliseconds(10));
  EXPECT_EQ(done, 0);
}

TEST(OffloadPool, WithoutItsTicketWaitingWorkNeverRunsAndGivesItsBytesBack) {
  Loop loop;
  Mailbox mailbox(loop);
  Gate gate;
  auto pool = OffloadPool::make(1, 100);
  auto running = pool->submit(
      1, [&](const std::atomic<bool>&) { gate.pass(); }, mailbox, [] {});
  gate.wait_for_arrivals(1);
  auto held = std::make_shared<std::atomic<int>>(0);
  auto waiting = pool->submit(
      100, [held](const std::atomic<bool>&) { held->fetch_add(1); }, mailbox, [] {});
  ASSERT_NE(waiting, nullptr);
  EXPECT_EQ(pool->submit(1, do_nothing, mailbox, [] {}), nullptr);
  waiting.reset();
  EXPECT_EQ(held.use_count(), 1);
  bool is_done = false;
  auto next = pool->submit(100, do_nothing, mailbox, [&] { is_done = true; });
  ASSERT_NE(next, nullptr);
  gate.open();
  EXPECT_TRUE(run_until(loop, [&] { return is_done; }));
  EXPECT_EQ(held->load(), 0);
}

TEST(OffloadPool, BoundsTheBytesThatWaitButAlwaysTakesOneJob) {
  Loop loop;
  Mailbox mailbox(loop);
  Gate gate;
  auto pool = OffloadPool::make(1, 100);
  auto running = pool->submit(
      5'000, [&](const std::atomic<bool>&) { gate.pass(); }, mailbox, [] {});
  ASSERT_NE(running, nullptr);
  gate.wait_for_arrivals(1);
  struct Case {
    size_t bytes;
    bool is_taken;
  };
  std::vector<std::unique_ptr<OffloadPool::Ticket>> tickets;
  for (Case each :
       {Case{60, true}, Case{41, false}, Case{SIZE_MAX, false}, Case{40, true}, Case{1, false}, Case{0, true}}) {
    tickets.push_back(pool->submit(each.bytes, do_nothing, mailbox, [] {}));
    EXPECT_EQ(tickets.back() != nullptr, each.is_taken) << each.bytes;
  }
  gate.open();
}

TEST(OffloadPool, EndsWithWorkWaitingAndRunning) {
  Loop loop;
  Mailbox mailbox(loop);
  Gate gate;
  auto pool = OffloadPool::make(2, 1'000'000);
  std::vector<std::unique_ptr<OffloadPool::Ticket>> tickets;
  int done = 0;
  auto held = std::make_shared<int>(0);
  for (int i = 0; i < 50; ++i) {
    tickets.push_back(pool->submit(
        10,
        [held, &gate](const std::atomic<bool>& is_cancelled) {
          gate.pass();
          while (!is_cancelled.load()) {
          }
        },
        mailbox, [&] { ++done; }));
  }
  gate.wait_for_arrivals(2);
  gate.open();
  pool.reset();  // the two that run see the flag, the others are dropped
  EXPECT_EQ(held.use_count(), 1);
  tickets.clear();
  run_for(loop, std::chrono::milliseconds(5));
  EXPECT_EQ(done, 0);
}

TEST(OffloadPool, ManyJobsFromTwoLoopsAllComeHome) {
  auto pool = OffloadPool::make(3, SIZE_MAX);
  auto serve = [&] {
    Loop loop;
    Mailbox mailbox(loop);
    size_t done = 0;
    std::vector<std::unique_ptr<OffloadPool::Ticket>> tickets;
    for (size_t i = 0; i < 2'000; ++i) {
      auto result = std::make_shared<size_t>(0);
      tickets.push_back(pool->submit(
          i, [result, i](const std::atomic<bool>&) { *result = i * 2; }, mailbox,
          [&done, result, i] { done += *result == i * 2 ? 1 : 0; }));
    }
    EXPECT_TRUE(run_until(loop, [&] { return done == 2'000; }));
  };
  std::thread other(serve);
  serve();
  other.join();
}

}  // namespace
}  // namespace transom
