#include "server/config_text.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <vector>

namespace transom {
namespace {

using namespace std::chrono_literals;

TEST(Duration, IsNumbersWithUnits) {
  const struct {
    const char* text;
    std::chrono::nanoseconds value;
  } cases[] = {{"250ms", 250ms}, {"5s", 5s},   {"1.5s", 1500ms}, {"2m", 2min}, {"1h30m", 90min},
               {"10us", 10us},   {"7ns", 7ns}, {"0", 0ns},       {"0s", 0ns},  {"0.25ms", 250us}};
  for (const auto& c : cases) {
    const auto duration = parse_duration(c.text);
    ASSERT_TRUE(duration.ok()) << c.text;
    EXPECT_EQ(*duration, c.value) << c.text;
  }
}

TEST(Duration, AnythingElseIsRefused) {
  for (const char* text :
       {"", "5", "s", "5 s", "-5s", "5 parsecs", "5sec", "1e3s", "1..5s", ".s", "5s ", "s5", "5S", "99999999999999h"}) {
    EXPECT_FALSE(parse_duration(text).ok()) << text;
  }
}

TEST(Size, IsANumberWithAUnit) {
  const struct {
    const char* text;
    uint64_t value;
  } cases[] = {{"0", 0},
               {"512", 512},
               {"1B", 1},
               {"64KiB", 65536},
               {"20MiB", 20971520},
               {"1.5GiB", 1610612736},
               {"1TiB", 1099511627776},
               {"100kB", 100000},
               {"1 MB", 1000000},
               {"2GB", 2000000000}};
  for (const auto& c : cases) {
    const auto size = parse_size(c.text);
    ASSERT_TRUE(size.ok()) << c.text;
    EXPECT_EQ(*size, c.value) << c.text;
  }
}

TEST(Size, AnythingElseIsRefused) {
  for (const char* text :
       {"", "MiB", "-1", "1.5", "1 parsec", "1mb", "1K", "1e3", "10  MB", "0x10", "9999999999999TiB"}) {
    EXPECT_FALSE(parse_size(text).ok()) << text;
  }
}

TEST(Environment, IsPutInForItsName) {
  setenv("TRANSOM_TEST_NAME", "value", 1);
  const struct {
    const char* text;
    const char* expanded;
  } cases[] = {{"plain", "plain"},
               {"${TRANSOM_TEST_NAME}", "value"},
               {"a${TRANSOM_TEST_NAME}b${TRANSOM_TEST_NAME}", "avaluebvalue"},
               {"$${TRANSOM_TEST_NAME}", "${TRANSOM_TEST_NAME}"},
               {"$TRANSOM_TEST_NAME", "$TRANSOM_TEST_NAME"},
               {"5$", "5$"}};
  for (const auto& c : cases) {
    const auto expanded = expand_environment(c.text);
    ASSERT_TRUE(expanded.ok()) << c.text;
    EXPECT_EQ(*expanded, c.expanded) << c.text;
  }
}

TEST(Environment, WhatIsNotSetIsAnErrorThatNamesIt) {
  unsetenv("TRANSOM_TEST_MISSING");
  EXPECT_EQ(expand_environment("${TRANSOM_TEST_MISSING}").status().message,
            "the environment variable \"TRANSOM_TEST_MISSING\" is not set");
  EXPECT_FALSE(expand_environment("${}").ok());
  EXPECT_FALSE(expand_environment("${OPEN").ok());
}

TEST(NearestWord, IsWhatWasProbablyMeant) {
  const std::vector<std::string> words{"listeners", "admin", "workers", "policy", "timeout"};
  EXPECT_EQ(nearest_word("listener", words), "listeners");
  EXPECT_EQ(nearest_word("polcy", words), "policy");
  EXPECT_EQ(nearest_word("timoeut", words), "timeout");
  EXPECT_EQ(nearest_word("colour", words), std::nullopt);
}

TEST(EditDistance, CountsChanges) {
  const struct {
    const char* a;
    const char* b;
    size_t distance;
  } cases[] = {{"", "", 0},       {"", "abc", 3},    {"abc", "abc", 0},
               {"abc", "abd", 1}, {"abc", "acb", 1}, {"kitten", "sitting", 3}};
  for (const auto& c : cases) {
    EXPECT_EQ(edit_distance(c.a, c.b), c.distance) << c.a << " " << c.b;
    EXPECT_EQ(edit_distance(c.b, c.a), c.distance) << c.b << " " << c.a;
  }
}

}  // namespace
}  // namespace transom
