#include "base/strictness.h"

#include <gtest/gtest.h>

namespace transom {
namespace {

TEST(Strictness, DefaultsAreThoseOfTheDocumentation) {
  const struct {
    Slip slip;
    const char* name;
    Verdict verdict;
  } cases[] = {
      {Slip::UnknownField, "unknown_field", Verdict::Reject},
      {Slip::UnknownQueryKey, "unknown_query_key", Verdict::Reject},
      {Slip::DuplicateKey, "duplicate_key", Verdict::Reject},
      {Slip::BoundField, "bound_field", Verdict::Ignore},
      {Slip::UnusedBody, "unused_body", Verdict::Ignore},
      {Slip::ContentType, "content_type", Verdict::Reject},
      {Slip::TrailingSlash, "trailing_slash", Verdict::Ignore},
  };
  static_assert(std::size(cases) == kSlips);
  const Strictness strictness;
  for (const auto& row : cases) {
    EXPECT_EQ(slip_name(row.slip), row.name);
    EXPECT_EQ(strictness.of(row.slip), row.verdict) << row.name;
  }
}

TEST(Strictness, EachVerdictToleratesAndReportsAsItSays) {
  const struct {
    Verdict verdict;
    bool is_tolerated;
    const char* reported;
  } cases[] = {
      {Verdict::Reject, false, ""}, {Verdict::Ignore, true, ""}, {Verdict::Report, true, "duplicate_key"}};
  for (const auto& row : cases) {
    Strictness strictness;
    strictness.set(Slip::DuplicateKey, row.verdict);
    SlipSet reported;
    EXPECT_EQ(strictness.tolerates(Slip::DuplicateKey, reported), row.is_tolerated);
    EXPECT_EQ(reported.text(), row.reported);
    EXPECT_EQ(reported.empty(), reported.text().empty());
  }
}

TEST(Strictness, SetsOfSlipsAreJoined) {
  SlipSet all;
  all.add(Slip::TrailingSlash);
  SlipSet more;
  more.add(Slip::UnknownField);
  all.add(more);
  EXPECT_TRUE(all.has(Slip::UnknownField));
  EXPECT_FALSE(all.has(Slip::UnusedBody));
  EXPECT_EQ(all.text(), "unknown_field,trailing_slash");
}

}  // namespace
}  // namespace transom
