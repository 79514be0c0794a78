#include "http/h2_limits.h"

#include <gtest/gtest.h>

namespace transom {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

TEST(TokenBucketTest, RefillsWithTimeUpToItsSize) {
  TokenBucket bucket(3, 10);
  TimePoint now(seconds(100));
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(bucket.take(now));
  }
  EXPECT_FALSE(bucket.take(now));
  EXPECT_TRUE(bucket.take(now + milliseconds(100)));
  EXPECT_FALSE(bucket.take(now + milliseconds(100)));
  now += seconds(3600);
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(bucket.take(now));
  }
  EXPECT_FALSE(bucket.take(now));
}

TEST(H2LimitsTest, ControlFramesAreBoundedButForWhatTrafficExplains) {
  SessionLimits bounds;
  bounds.control_frames_per_second = 10;
  H2Limits limits(bounds);
  TimePoint now(seconds(1));
  for (int i = 0; i < 10; ++i) {
    EXPECT_TRUE(limits.on_control_frame(now));
  }
  EXPECT_FALSE(limits.on_control_frame(now));

  H2Limits busy(bounds);
  for (int i = 0; i < 1000; ++i) {
    busy.on_request();
    busy.on_data_sent(16 * kKiB);
    for (int update = 0; update < 4; ++update) {
      ASSERT_TRUE(busy.on_control_frame(now));
    }
  }
}

TEST(H2LimitsTest, EmptyDataFramesInARowAreBounded) {
  SessionLimits bounds;
  bounds.empty_frames = 3;
  H2Limits limits(bounds);
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(limits.on_data_received(0, false));
  }
  EXPECT_TRUE(limits.on_data_received(1, false)) << "starts anew";
  EXPECT_TRUE(limits.on_data_received(0, true)) << "an end is not empty";
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(limits.on_data_received(0, false));
  }
  EXPECT_FALSE(limits.on_data_received(0, false));
}

TEST(H2LimitsTest, OwnResetsAreBounded) {
  SessionLimits bounds;
  bounds.own_resets_burst = 5;
  bounds.own_resets_per_second = 1;
  H2Limits limits(bounds);
  TimePoint now(seconds(1));
  for (int i = 0; i < 5; ++i) {
    EXPECT_TRUE(limits.on_own_reset(now));
  }
  EXPECT_FALSE(limits.on_own_reset(now));
  EXPECT_TRUE(limits.on_own_reset(now + seconds(1)));
}

}  // namespace
}  // namespace transom
