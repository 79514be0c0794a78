#include "transcode/integer_text.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <string>
#include <vector>

namespace transom {
namespace {

template <class T>
std::string written(char* (*write)(char*, T), T value) {
  char text[kIntegerTextRoom];
  return {text, write(text, value)};
}

// What lies beside each power of ten and of two, and numbers of every length.
std::vector<uint64_t> numbers() {
  std::vector<uint64_t> all = {0, std::numeric_limits<uint64_t>::max()};
  for (uint64_t power = 1; power <= 10'000'000'000'000'000'000U / 10; power *= 10) {
    all.insert(all.end(), {power - 1, power, power + 1, power * 9});
  }
  for (int bit = 1; bit < 64; ++bit) {
    all.insert(all.end(), {(uint64_t{1} << bit) - 1, uint64_t{1} << bit});
  }
  std::mt19937_64 random(3);
  for (int i = 0; i < 200'000; ++i) {
    all.push_back(random() >> random() % 64);
  }
  return all;
}

TEST(IntegerText, EveryNumberIsWrittenAsTheStandardLibraryDoes) {
  for (uint64_t value : numbers()) {
    ASSERT_EQ(written(write_uint, value), std::to_string(value));
    ASSERT_EQ(written(write_int, static_cast<int64_t>(value)), std::to_string(static_cast<int64_t>(value)));
    ASSERT_EQ(written(write_uint32, static_cast<uint32_t>(value)), std::to_string(static_cast<uint32_t>(value)));
    ASSERT_EQ(written(write_int32, static_cast<int32_t>(value)), std::to_string(static_cast<int32_t>(value)));
  }
}

}  // namespace
}  // namespace transom
