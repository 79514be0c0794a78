#include "backend/backend_state.h"

#include <gtest/gtest.h>

#include <thread>

namespace transom {
namespace {

BackendOptions two_replicas() {
  BackendOptions options;
  options.replicas = {{.address = {}, .name = "a", .weight = 1}, {.address = {}, .name = "b", .weight = 1}};
  return options;
}

TEST(BackendState, IsUpWhileAnyWorkerIs) {
  auto state = BackendState::make(two_replicas());
  EXPECT_EQ(state->replicas(), 2U);
  EXPECT_EQ(state->replica_name(1), "b");
  EXPECT_FALSE(state->any_up());
  state->worker_up(1);
  state->worker_up(1);
  state->worker_down(1);
  EXPECT_TRUE(state->is_up(1));
  EXPECT_FALSE(state->is_up(0));
  EXPECT_TRUE(state->any_up());
  state->worker_down(1);
  EXPECT_FALSE(state->any_up());
}

TEST(BackendState, TellsEachComingUp) {
  auto state = BackendState::make(two_replicas());
  std::vector<size_t> told;
  state->set_on_up([&](size_t index) { told.push_back(index); });
  state->worker_up(1);
  state->worker_down(1);
  state->worker_up(0);
  state->worker_up(1);
  EXPECT_EQ(told, (std::vector<size_t>{1, 0, 1}));
}

TEST(BackendState, CountsCallsOfAllThreads) {
  auto state = BackendState::make(two_replicas());
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 10'000; ++i) {
        state->begin_call(0);
        state->worker_up(1);
        state->worker_down(1);
        if (i % 2 == 0) {
          state->end_call(0);
        }
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  EXPECT_EQ(state->in_flight(0), 20'000);
  EXPECT_FALSE(state->is_up(1));
}

}  // namespace
}  // namespace transom
