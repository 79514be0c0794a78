#include "local/served_services.h"

#include <gtest/gtest.h>

#include "support/proto_text.h"

namespace transom {
namespace {

TEST(ServedServices, TheRoutesOfOneServiceArePutTogether) {
  const SchemaPtr one = schema_of("syntax = \"proto3\"; package a;");
  const SchemaPtr other = schema_of("syntax = \"proto3\"; package b;");
  const ServedServices served({{"a.B", {0}, nullptr}, {"a.C", {1}, one}, {"a.B", {2}, other}, {"a.D", {1}, one}});
  ASSERT_EQ(served.services().size(), 3u);
  EXPECT_EQ(served.find("a.B")->backends, (std::vector<size_t>{0, 2}));
  EXPECT_EQ(served.find("a.B")->schema, other);
  EXPECT_EQ(served.find("a.X"), nullptr);
  ASSERT_EQ(served.schemas().size(), 2u);
  EXPECT_EQ(served.schemas()[0], one);
}

}  // namespace
}  // namespace transom
