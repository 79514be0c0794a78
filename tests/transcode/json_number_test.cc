#include "transcode/json_number.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>
#include <string>

namespace transom {
namespace {

Number scanned(std::string& text) {
  text.reserve(text.size() + 16);
  Number number;
  if (!scan_number(text.data(), number)) {
    number.end = nullptr;
  }
  return number;
}

TEST(JsonNumber, OnlyTheJsonGrammarIsANumber) {
  for (const char* good :
       {"0", "-0", "1", "12345678901234567890", "0.5", "-1.25e3", "1E+2", "1e-05", "123456789.123456789"}) {
    std::string text = good;
    Number number = scanned(text);
    ASSERT_NE(number.end, nullptr) << good;
    EXPECT_EQ(number.text(), good);
  }
  for (const char* bad :
       {"", "-", "+1", ".5", "1.", "1.e3", "1e", "1e+", "01", "-01", "00", "NaN", "Infinity", "-.5", "x"}) {
    std::string text = bad;
    EXPECT_EQ(scanned(text).end, nullptr) << bad;
  }
  std::string hex = "0x10";
  EXPECT_EQ(scanned(hex).text(), "0");
}

TEST(JsonNumber, DoublesAreTheNearestOfTheirText) {
  for (std::string text :
       {"0.1", "1e22", "1e23", "9007199254740993", "123456789012345678901234567890", "2.2250738585072011e-308",
        "4.9e-324", "1.7976931348623157e308", "0.000000000000000000000000000000000000001", "1e-400", "-1e-400",
        "0e999999999", "8.41e21", "9.5e-23"}) {
    double value = 0;
    ASSERT_TRUE(to_double(scanned(text), value)) << text;
    EXPECT_EQ(std::bit_cast<uint64_t>(value), std::bit_cast<uint64_t>(std::strtod(text.c_str(), nullptr))) << text;
  }
  for (std::string text : {"1e400", "-1e400", "1.8e308", "123456789e999999999999"}) {
    double value = 0;
    EXPECT_FALSE(to_double(scanned(text), value)) << text;
  }
}

// A double in between would round twice.
TEST(JsonNumber, FloatsAreTheNearestOfTheirTextNotOfItsDouble) {
  for (std::string text :
       {"1.00000005960464477540", "16777217.000000001", "16777217", "1e-45", "1.4e-45", "7e-46", "1.1754943e-38",
        "3.4028235e38", "3.40282356779733661637539395458142568447e38", "0.1", "8388608.5", "1e-50"}) {
    float value = 0;
    ASSERT_TRUE(to_float(scanned(text), value)) << text;
    EXPECT_EQ(std::bit_cast<uint32_t>(value), std::bit_cast<uint32_t>(std::strtof(text.c_str(), nullptr))) << text;
  }
  for (std::string text : {"3.4028236e38", "3.4e39", "-1e39", "1e400"}) {
    float value = 0;
    EXPECT_FALSE(to_float(scanned(text), value)) << text;
  }
}

TEST(JsonNumber, RandomTextAgreesWithStrtod) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 200'000; ++i) {
    std::string text = random() % 2 == 0 ? "-" : "";
    std::string digits = std::to_string(random() >> random() % 64);
    size_t point = random() % (digits.size() + 1);
    if (point == 0) {
      digits.insert(0, "0.");
    } else if (point < digits.size()) {
      digits = digits[0] == '0' ? "0" + digits.substr(point).insert(0, ".") : digits.insert(point, ".");
    }
    text += digits;
    if (random() % 3 == 0) {
      text += "e" + std::to_string(static_cast<int>(random() % 80) - 40);
    }
    Number number = scanned(text);
    ASSERT_NE(number.end, nullptr) << text;
    double wide = 0;
    ASSERT_TRUE(to_double(number, wide)) << text;
    ASSERT_EQ(std::bit_cast<uint64_t>(wide), std::bit_cast<uint64_t>(std::strtod(text.c_str(), nullptr))) << text;
    float narrow = 0;
    if (to_float(number, narrow)) {
      ASSERT_EQ(std::bit_cast<uint32_t>(narrow), std::bit_cast<uint32_t>(std::strtof(text.c_str(), nullptr))) << text;
    }
  }
}

TEST(JsonNumber, IntegersAreExactInEveryNotation) {
  struct {
    std::string text;
    Integral kind;
    uint64_t magnitude;
  } cases[] = {
      {"18446744073709551615", Integral::Yes, 18446744073709551615U},
      {"18446744073709551616", Integral::TooLarge, 0},
      {"9007199254740993", Integral::Yes, 9007199254740993},
      {"1.0", Integral::Yes, 1},
      {"1e2", Integral::Yes, 100},
      {"1.5e1", Integral::Yes, 15},
      {"150e-1", Integral::Yes, 15},
      {"1.000000000000000000000000000000", Integral::Yes, 1},
      {"10000000000000000000000e-22", Integral::Yes, 1},
      {"0e999999", Integral::Yes, 0},
      {"0.0", Integral::Yes, 0},
      {"1.5", Integral::HasFraction, 0},
      {"1e-1", Integral::HasFraction, 0},
      {"1e20", Integral::TooLarge, 0},
      {"1e999999999", Integral::TooLarge, 0},
  };
  for (auto& c : cases) {
    uint64_t magnitude = 0;
    EXPECT_EQ(to_magnitude(scanned(c.text), magnitude), c.kind) << c.text;
    if (c.kind == Integral::Yes) {
      EXPECT_EQ(magnitude, c.magnitude) << c.text;
    }
  }
}

}  // namespace
}  // namespace transom
