#include "backend/picker.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace transom {
namespace {

BackendOptions replicas(size_t count) {
  BackendOptions options;
  for (size_t i = 0; i < count; ++i) {
    options.replicas.push_back({.address = {}, .name = "r" + std::to_string(i), .weight = 1});
  }
  return options;
}

std::vector<Candidate> all_of(std::vector<uint32_t> weights) {
  std::vector<Candidate> list;
  for (size_t i = 0; i < weights.size(); ++i) {
    list.push_back({i, weights[i]});
  }
  return list;
}

std::vector<int> count_picks(Picker& picker, BackendState& state, const std::vector<Candidate>& up, int picks,
                             bool stay_open) {
  std::vector<int> counts(state.replicas());
  for (int i = 0; i < picks; ++i) {
    size_t index = picker.pick(up);
    ++counts[index];
    if (stay_open) {
      state.begin_call(index);
    }
  }
  return counts;
}

TEST(Picker, RoundRobinSharesByWeight) {
  BackendState state(replicas(3));
  Picker picker(Policy::RoundRobin, state, 1);
  EXPECT_EQ(count_picks(picker, state, all_of({1, 1, 1}), 300, false), (std::vector<int>{100, 100, 100}));
  EXPECT_EQ(count_picks(picker, state, all_of({5, 1, 2}), 800, false), (std::vector<int>{500, 100, 200}));
}

TEST(Picker, RoundRobinSpreadsTheHeavyOne) {
  BackendState state(replicas(2));
  Picker picker(Policy::RoundRobin, state, 1);
  std::vector<Candidate> up = all_of({2, 1});
  std::string order;
  for (int i = 0; i < 6; ++i) {
    order += static_cast<char>('a' + picker.pick(up));
  }
  EXPECT_EQ(order, "abaaba");
}

TEST(Picker, RoundRobinLeavesOutWhoIsNotUp) {
  BackendState state(replicas(3));
  Picker picker(Policy::RoundRobin, state, 1);
  std::vector<Candidate> up{{0, 1}, {2, 1}};
  EXPECT_EQ(count_picks(picker, state, up, 100, false), (std::vector<int>{50, 0, 50}));
}

TEST(Picker, LeastRequestPicksTheOneWithFewest) {
  for (size_t count : {2, 3, 8}) {
    BackendState state(replicas(count));
    Picker picker(Policy::LeastRequest, state, 7);
    for (size_t i = 0; i < count; ++i) {
      if (i != count - 1) {
        state.begin_call(i);
      }
    }
    for (int i = 0; i < 20; ++i) {
      EXPECT_EQ(picker.pick(all_of(std::vector<uint32_t>(count, 1))), count - 1);
    }
  }
}

TEST(Picker, LeastRequestSharesEqually) {
  for (bool stay_open : {false, true}) {
    BackendState state(replicas(4));
    Picker picker(Policy::LeastRequest, state, 3);
    EXPECT_EQ(count_picks(picker, state, all_of({1, 1, 1, 1}), 400, stay_open), (std::vector<int>{100, 100, 100, 100}));
  }
}

TEST(Picker, LeastRequestSharesEquallyAmongThoseThatAreUp) {
  BackendState state(replicas(3));
  Picker picker(Policy::LeastRequest, state, 3);
  std::vector<Candidate> up{{0, 1}, {2, 1}};
  EXPECT_EQ(count_picks(picker, state, up, 100, false), (std::vector<int>{50, 0, 50}));
}

TEST(Picker, LeastRequestFillsByWeight) {
  BackendState state(replicas(2));
  Picker picker(Policy::LeastRequest, state, 3);
  std::vector<int> counts = count_picks(picker, state, all_of({3, 1}), 400, true);
  EXPECT_NEAR(counts[0], 300, 3);
  EXPECT_NEAR(counts[1], 100, 3);
}

TEST(Picker, AboveEightNeverPicksTheWorst) {
  // Two different ones are drawn, so the only busy one always loses.
  BackendState state(replicas(20));
  state.begin_call(4);
  Picker picker(Policy::LeastRequest, state, 11);
  std::vector<int> counts = count_picks(picker, state, all_of(std::vector<uint32_t>(20, 1)), 20'000, false);
  EXPECT_EQ(counts[4], 0);
  for (size_t i = 0; i < counts.size(); ++i) {
    if (i != 4) {
      EXPECT_NEAR(counts[i], 20'000 / 19.0, 150) << i;
    }
  }
}

TEST(Picker, AboveEightKeepsLoadsClose) {
  BackendState state(replicas(50));
  Picker picker(Policy::LeastRequest, state, 11);
  std::vector<int> counts = count_picks(picker, state, all_of(std::vector<uint32_t>(50, 1)), 5000, true);
  EXPECT_LE(*std::max_element(counts.begin(), counts.end()) - *std::min_element(counts.begin(), counts.end()), 12);
}

}  // namespace
}  // namespace transom
