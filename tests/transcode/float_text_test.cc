#include "transcode/float_text.h"

#include <gtest/gtest.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>

namespace transom {
namespace {

std::string written(float value) {
  char text[kFloatTextBytesMax];
  return std::string(text, write_float(text, value));
}

// How many digits matter.
size_t digits_of(std::string text) {
  text = text.substr(0, text.find('e'));
  std::erase_if(text, [](char c) { return c < '0' || c > '9'; });
  text.erase(0, text.find_first_not_of('0'));
  text.erase(text.find_last_not_of('0') + 1);
  return text.size();
}

void expect_shortest(float value) {
  std::string text = written(value);
  ASSERT_LE(text.size(), kFloatTextBytesMax);
  float back = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), back);
  ASSERT_EQ(end, text.data() + text.size()) << text;
  ASSERT_EQ(std::bit_cast<uint32_t>(back), std::bit_cast<uint32_t>(value)) << text;
  char oracle[64];
  auto written = std::to_chars(oracle, oracle + sizeof oracle, value, std::chars_format::scientific);
  bool is_whole = std::fabs(value) < 4294967296.0F && value == std::floor(value);
  if (!is_whole) {
    ASSERT_EQ(digits_of(text), digits_of(std::string(oracle, written.ptr))) << text;
  }
}

TEST(FloatText, LooksLikeANumberPeopleWrite) {
  struct {
    float value;
    const char* text;
  } cases[] = {
      {1, "1"},
      {-1.5F, "-1.5"},
      {0.1F, "0.1"},
      {100, "100"},
      {16777216, "16777216"},
      {0.00001F, "0.00001"},
      {0.000001F, "1e-06"},
      {3.4028235e38F, "3.4028235e+38"},
      {1e-45F, "1e-45"},
      {123.456F, "123.456"},
      {4294967040.0F, "4294967040"},
      {1e15F, "1000000000000000"},
      {1e16F, "1e+16"},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(written(c.value), c.text);
  }
}

TEST(FloatText, IsTheShortestThatReadsBackAtEveryExponent) {
  for (uint32_t exponent = 0; exponent < 255; ++exponent) {
    for (uint32_t fraction : {0U, 1U, 2U, 0x400000U, 0x3fffffU, 0x7ffffeU, 0x7fffffU}) {
      float value = std::bit_cast<float>(exponent << 23 | fraction);
      if (value != 0) {
        expect_shortest(value);
        expect_shortest(-value);
      }
    }
  }
}

TEST(FloatText, IsTheShortestThatReadsBackForRandomBits) {
  std::mt19937 random(11);
  for (int i = 0; i < 500'000; ++i) {
    float value = std::bit_cast<float>(static_cast<uint32_t>(random()));
    if (std::isfinite(value) && value != 0) {
      expect_shortest(value);
    }
  }
}

}  // namespace
}  // namespace transom
