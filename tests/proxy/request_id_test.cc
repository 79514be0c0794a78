#include "proxy/request_id.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace transom {
namespace {

TEST(RequestIdTest, AClientsIdIsTakenWithinItsAlphabetAndLength) {
  for (const std::string& id : {std::string("a"), std::string("A.b_c~d-9"), std::string(128, 'x')}) {
    EXPECT_TRUE(is_request_id(id)) << id;
  }
  for (const std::string& id : {std::string(), std::string(129, 'x'), std::string("a b"), std::string("a/b"),
                                std::string("\xc3\xa9"), std::string("a\0", 2), std::string("{}")}) {
    EXPECT_FALSE(is_request_id(id)) << id;
  }
}

TEST(RequestIdTest, OursAreFitAndNew) {
  RequestIds one;
  RequestIds other;
  std::set<std::string> seen;
  for (int i = 0; i < 10'000; ++i) {
    for (const std::string& id : {one.next(), other.next()}) {
      ASSERT_TRUE(is_request_id(id));
      ASSERT_EQ(id.size(), 32u);
      ASSERT_TRUE(seen.insert(id).second);
    }
  }
}

TEST(RequestIdTest, AnUnfitIdIsReplaced) {
  RequestIds ids;
  Fields fields;
  EXPECT_TRUE(is_request_id(ids.choose(fields)));
  fields.add("x-request-id", "bad id");
  EXPECT_NE(ids.choose(fields), "bad id");
  Fields fit;
  fit.add("x-request-id", "abc");
  EXPECT_EQ(ids.choose(fit), "abc");
}

}  // namespace
}  // namespace transom
