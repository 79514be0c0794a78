#include "transcode/time_text.h"

#include <gtest/gtest.h>

#include <string>

namespace transom {
namespace {

std::string timestamp(int64_t seconds, int32_t nanos) {
  char text[kTimeTextBytesMax];
  char* end = format_timestamp({seconds, nanos}, text);
  return end == nullptr ? "out of range" : std::string(text, end);
}

std::string duration(int64_t seconds, int32_t nanos) {
  char text[kTimeTextBytesMax];
  char* end = format_duration({seconds, nanos}, text);
  return end == nullptr ? "out of range" : std::string(text, end);
}

TEST(TimeText, TimestampsAreReadAndWritten) {
  struct {
    const char* text;
    int64_t seconds;
    int32_t nanos;
    const char* written;
  } cases[] = {
      {"1970-01-01T00:00:00Z", 0, 0, "1970-01-01T00:00:00Z"},
      {"2020-01-01T00:00:00+01:00", 1577833200, 0, "2019-12-31T23:00:00Z"},
      {"2020-02-29T23:59:59.1Z", 1583020799, 100'000'000, "2020-02-29T23:59:59.100Z"},
      {"0001-01-01T00:00:00Z", -62135596800, 0, "0001-01-01T00:00:00Z"},
      {"9999-12-31T23:59:59.999999999Z", 253402300799, 999'999'999, "9999-12-31T23:59:59.999999999Z"},
      {"1969-12-31T23:59:59.000001Z", -1, 1000, "1969-12-31T23:59:59.000001Z"},
      {"2000-03-01T00:00:00-23:59", 951955140, 0, "2000-03-01T23:59:00Z"},
  };
  for (const auto& c : cases) {
    Moment moment;
    ASSERT_TRUE(parse_timestamp(c.text, moment)) << c.text;
    EXPECT_EQ(moment.seconds, c.seconds) << c.text;
    EXPECT_EQ(moment.nanos, c.nanos) << c.text;
    EXPECT_EQ(timestamp(moment.seconds, moment.nanos), c.written);
  }
}

TEST(TimeText, WrongTimestampsAreRefused) {
  for (const char* text : {"",
                           "2020-01-01",
                           "2020-01-01T00:00:00",
                           "2020-01-01t00:00:00Z",
                           "2020-01-01T00:00:00z",
                           "2020-01-01 00:00:00Z",
                           "0000-01-01T00:00:00Z",
                           "2020-13-01T00:00:00Z",
                           "2020-00-01T00:00:00Z",
                           "2021-02-29T00:00:00Z",
                           "2020-01-32T00:00:00Z",
                           "2020-01-01T24:00:00Z",
                           "2020-01-01T00:60:00Z",
                           "2020-01-01T00:00:60Z",
                           "2020-01-01T00:00:00.Z",
                           "2020-01-01T00:00:00.1234567891Z",
                           "2020-01-01T00:00:00+24:00",
                           "2020-01-01T00:00:00+0100",
                           "2020-01-01T00:00:00ZZ",
                           "0001-01-01T00:00:00+00:01",
                           "9999-12-31T23:59:59-00:01",
                           "20200-01-01T00:00:00Z",
                           " 2020-01-01T00:00:00Z"}) {
    Moment moment;
    EXPECT_FALSE(parse_timestamp(text, moment)) << text;
  }
  EXPECT_EQ(timestamp(-62135596801, 0), "out of range");
  EXPECT_EQ(timestamp(253402300800, 0), "out of range");
  EXPECT_EQ(timestamp(0, -1), "out of range");
  EXPECT_EQ(timestamp(0, 1'000'000'000), "out of range");
}

TEST(TimeText, EveryDayOfFourCenturiesComesBack) {
  for (int64_t day = -719'162; day < 146'097; day += 1) {
    std::string text = timestamp(day * 86'400, 0);
    Moment moment;
    ASSERT_TRUE(parse_timestamp(text, moment)) << text;
    ASSERT_EQ(moment.seconds, day * 86'400) << text;
  }
}

TEST(TimeText, DurationsAreReadAndWritten) {
  struct {
    const char* text;
    int64_t seconds;
    int32_t nanos;
    const char* written;
  } cases[] = {
      {"0s", 0, 0, "0s"},
      {"1.5s", 1, 500'000'000, "1.500s"},
      {"-0.5s", 0, -500'000'000, "-0.500s"},
      {"-1.000001s", -1, -1000, "-1.000001s"},
      {"0.000000001s", 0, 1, "0.000000001s"},
      {"315576000000s", 315576000000, 0, "315576000000s"},
      {"-315576000000s", -315576000000, 0, "-315576000000s"},
      {"315576000000.999999999s", 315576000000, 999999999, "315576000000.999999999s"},
      {"-315576000000.999999999s", -315576000000, -999999999, "-315576000000.999999999s"},
      {"315575999999.999999999s", 315575999999, 999999999, "315575999999.999999999s"},
  };
  for (const auto& c : cases) {
    Moment moment;
    ASSERT_TRUE(parse_duration(c.text, moment)) << c.text;
    EXPECT_EQ(moment.seconds, c.seconds) << c.text;
    EXPECT_EQ(moment.nanos, c.nanos) << c.text;
    EXPECT_EQ(duration(moment.seconds, moment.nanos), c.written);
  }
  for (const char* text :
       {"", "s", "1", "1m", "1.s", ".5s", "--1s", "-s", "+1s", "1.5 s", " 1s", "1e3s", "1.1234567891s", "315576000001s",
        "-315576000001s", "99999999999999999999s"}) {
    Moment moment;
    EXPECT_FALSE(parse_duration(text, moment)) << text;
  }
  EXPECT_EQ(duration(1, -1), "out of range");
  EXPECT_EQ(duration(-1, 1), "out of range");
  EXPECT_EQ(duration(315576000001, 0), "out of range");
}

}  // namespace
}  // namespace transom
