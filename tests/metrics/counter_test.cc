#include "metrics/counter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

namespace transom {
namespace {

using std::chrono::microseconds;
using std::chrono::nanoseconds;

TEST(Counter, IsReadByAnotherThreadWhileItsOwnerCounts) {
  Counter counter;
  std::thread owner([&] {
    for (int i = 0; i < 10'000; ++i)
      counter.add();
  });
  int64_t last = 0;
  while (last < 10'000) {
    const int64_t now = counter.value();
    ASSERT_GE(now, last);
    last = now;
  }
  owner.join();
  EXPECT_EQ(counter.value(), 10'000);
}

TEST(Histogram, CountsADurationUnderTheFirstBoundThatHoldsIt) {
  const std::array<nanoseconds, 2> bounds{microseconds(10), microseconds(20)};
  Histogram histogram(bounds);
  for (const nanoseconds value : {nanoseconds(0), nanoseconds(10'000), nanoseconds(10'001), nanoseconds(20'001)}) {
    histogram.observe(value);
  }
  EXPECT_EQ(histogram.bucket(0), 2);  // a bound is part of its bucket: `le`
  EXPECT_EQ(histogram.bucket(1), 1);
  EXPECT_EQ(histogram.bucket(2), 1);
  EXPECT_EQ(histogram.sum(), nanoseconds(40'002));
}

TEST(Histogram, BoundsAscendAndFit) {
  for (const auto bounds : {request_bounds(), lag_bounds()}) {
    EXPECT_TRUE(std::ranges::is_sorted(bounds));
    EXPECT_LE(bounds.size(), Histogram::kBoundsMax);
  }
}

}  // namespace
}  // namespace transom
