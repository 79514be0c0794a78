#include "proxy/request_deadline.h"

#include <gtest/gtest.h>

namespace transom {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using std::chrono::seconds;

const TimePoint kArrived = Clock::now();

Fields of(std::string_view name, std::string_view value) {
  Fields fields;
  fields.add(name, value);
  return fields;
}

TEST(RequestDeadlineTest, TheEarliestHolds) {
  Fields both = of("grpc-timeout", "2S");
  both.add("x-request-timeout-seconds", "1.5");
  const struct {
    Fields fields;
    nanoseconds timeout;
    TimePoint deadline;
  } cases[] = {
      {{}, nanoseconds(0), TimePoint::max()},
      {{}, seconds(30), kArrived + seconds(30)},
      {of("grpc-timeout", "500m"), seconds(30), kArrived + milliseconds(500)},
      {of("grpc-timeout", "60S"), seconds(30), kArrived + seconds(30)},
      {of("grpc-timeout", "60S"), nanoseconds(0), kArrived + seconds(60)},
      {of("x-request-timeout-seconds", "0.25"), seconds(30), kArrived + milliseconds(250)},
      {of("x-request-timeout-seconds", "3"), seconds(30), kArrived + seconds(3)},
      {both, seconds(30), kArrived + milliseconds(1500)},
      {of("grpc-timeout", "0S"), seconds(30), kArrived},
      {of("x-request-timeout-seconds", "0"), seconds(30), kArrived},
      {of("grpc-timeout", "99999999H"), nanoseconds(0), TimePoint::max()},
  };
  for (const auto& row : cases) {
    const Result<TimePoint> found = find_deadline(row.fields, row.timeout, kArrived);
    ASSERT_TRUE(found.ok());
    EXPECT_EQ(*found, row.deadline) << (row.fields.empty() ? "" : row.fields[0].value);
  }
}

TEST(RequestDeadlineTest, WhatIsTooFarForTheClockIsStillLater) {
  const std::string huge(400, '9');
  const Result<TimePoint> far = find_deadline(of("x-request-timeout-seconds", huge), nanoseconds(0), kArrived);
  ASSERT_TRUE(far.ok());
  EXPECT_GT(*far, kArrived + std::chrono::hours(24 * 365 * 100));
  const Result<TimePoint> tiny =
      find_deadline(of("x-request-timeout-seconds", "0." + std::string(400, '0') + "1"), nanoseconds(0), kArrived);
  ASSERT_TRUE(tiny.ok());
  EXPECT_EQ(*tiny, kArrived);
}

TEST(RequestDeadlineTest, AMalformedOneIsAnError) {
  for (std::string_view text : {"zz", "-5S", "1", "S", "1.5S", "999999999S", "1s", ""}) {
    const Result<TimePoint> found = find_deadline(of("grpc-timeout", text), seconds(1), kArrived);
    ASSERT_FALSE(found.ok()) << text;
    EXPECT_EQ(found.status().code, Code::InvalidArgument);
  }
  for (std::string_view text : {"", "-1", "+1", "1e3", "nan", "inf", "1s", "0x10", ".5", " 1", "1,2"}) {
    EXPECT_FALSE(find_deadline(of("x-request-timeout-seconds", text), seconds(1), kArrived).ok()) << text;
  }
}

}  // namespace
}  // namespace transom
