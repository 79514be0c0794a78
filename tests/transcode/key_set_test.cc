#include "transcode/key_set.h"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <random>
#include <set>
#include <string>

namespace transom {
namespace {

using MakeKey = std::function<std::string(int)>;

struct Keys {
  const char* what;
  MakeKey make;
};

const Keys kKeys[] = {
    {"short ones", [](int i) { return std::to_string(i); }},
    {"those that differ at their end", [](int i) { return "counter-" + std::to_string(i); }},
    {"those that differ at their beginning", [](int i) { return std::to_string(i) + " and the same for all of them"; }},
    {"those that differ in the middle",
     [](int i) { return "the same begin " + std::to_string(i) + " and the same end"; }},
    {"one letter, ever longer", [](int i) { return std::string(static_cast<size_t>(i), 'a'); }},
    {"bytes of every kind",
     [](int i) {
       std::mt19937 random(static_cast<uint32_t>(i));
       std::string key = std::to_string(i);
       for (uint32_t n = random() % 30; n > 0; --n) {
         key += static_cast<char>(random());
       }
       return key;
     }},
};

TEST(KeySet, KeysThatDifferAreNotSuspected) {
  for (const Keys& keys : kKeys) {
    for (size_t expected : {0, 8, 9, 3000}) {
      KeyTables tables;
      KeySet set(tables, expected);
      for (int i = 0; i < 3000; ++i) {
        ASSERT_TRUE(set.add(fingerprint_of(std::string_view(keys.make(i))))) << keys.what << ' ' << i;
      }
    }
  }
}

TEST(KeySet, AKeyThatComesAgainIsAlwaysSeen) {
  for (const Keys& keys : kKeys) {
    for (int count : {1, 2, 8, 9, 33, 1000}) {
      for (int again : {0, count / 2, count - 1}) {
        KeyTables tables;
        KeySet set(tables, again == 0 ? 0 : static_cast<size_t>(count));
        for (int i = 0; i < count; ++i) {
          set.add(fingerprint_of(std::string_view(keys.make(i))));
        }
        EXPECT_FALSE(set.add(fingerprint_of(std::string_view(keys.make(again))))) << keys.what << ' ' << count;
      }
    }
  }
}

TEST(KeySet, NumbersAreToldApart) {
  for (uint64_t step : {uint64_t{1}, uint64_t{1} << 20, uint64_t{1} << 50}) {
    KeyTables tables;
    KeySet set(tables);
    for (uint64_t i = 0; i < 2000; ++i) {
      ASSERT_TRUE(set.add(fingerprint_of(i * step))) << i;
    }
    EXPECT_FALSE(set.add(fingerprint_of(uint64_t{0})));
  }
}

TEST(KeySet, ASetInsideAnotherLeavesItAsItWas) {
  KeyTables tables;
  KeySet outer(tables);
  for (uint64_t i = 0; i < 200; ++i) {
    EXPECT_TRUE(outer.add(fingerprint_of(i)));
    KeySet inner(tables);
    for (uint64_t j = 0; j < 100; ++j) {
      EXPECT_TRUE(inner.add(fingerprint_of(j)));
    }
  }
  for (uint64_t i = 0; i < 200; ++i) {
    EXPECT_FALSE(outer.add(fingerprint_of(i)));
  }
}

TEST(KeySet, KeysHaveOneTotalOrder) {
  std::set<std::string> keys;
  for (const Keys& from : kKeys) {
    for (int i = 0; i < 20; ++i) {
      keys.insert(from.make(i));
    }
  }
  for (const std::string& a : keys) {
    EXPECT_FALSE(is_key_after(a, a));
    for (const std::string& b : keys) {
      const bool is_after = a.size() != b.size() ? a.size() > b.size() : a > b;
      EXPECT_EQ(is_key_after(a, b), is_after) << a << " and " << b;
    }
  }
}

}  // namespace
}  // namespace transom
