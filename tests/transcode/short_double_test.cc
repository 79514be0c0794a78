#include "transcode/short_double.h"

#include <gtest/gtest.h>

#include <charconv>
#include <limits>
#include <random>
#include <string>

namespace transom {
namespace {

// "" where there is no short form.
std::string short_text(double value) {
  char text[kIntegerTextRoom];
  char* end = write_short_double(text, value);
  return end == nullptr ? "" : std::string(text, end);
}

std::string shortest(double value) {
  char text[40];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

TEST(ShortDouble, IsTheTextThatToCharsWrites) {
  std::mt19937_64 random(5);
  int written = 0;
  for (int i = 0; i < 300'000; ++i) {
    static constexpr double kScales[] = {1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8};
    double value = static_cast<double>(static_cast<int64_t>(random() % 2'000'000'000) - 1'000'000'000) /
                   kScales[random() % std::size(kScales)];
    if (std::string text = short_text(value); !text.empty()) {
      ASSERT_EQ(text, shortest(value));
      ++written;
    }
  }
  EXPECT_GT(written, 50'000);
}

TEST(ShortDouble, WhatPeopleWriteIsShort) {
  for (const char* text : {"0.25", "1", "-1.5", "99999", "0.001", "3.141593", "-12345.678", "100"}) {
    EXPECT_EQ(short_text(std::stod(text)), text);
  }
}

TEST(ShortDouble, OtherValuesAreLeftToOthers) {
  for (double value : {0.0, -0.0, 100'000.0, 0.0009, 1.0 / 3, 0.1 + 0.2, 1e300, 5e-324,
                       std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_EQ(short_text(value), "") << value;
  }
}

}  // namespace
}  // namespace transom
