#include "transcode/field_mask_text.h"

#include <gtest/gtest.h>

namespace transom {
namespace {

TEST(FieldMaskText, PathsChangeTheirCaseAndComeBack) {
  for (auto [camel, snake] : {std::pair{"a", "a"}, {"fooBar", "foo_bar"}, {"sub.nameOf.x1", "sub.name_of.x1"}}) {
    std::string out;
    EXPECT_TRUE(append_mask_path_from_json(camel, out));
    EXPECT_EQ(out, snake);
    out.clear();
    EXPECT_TRUE(append_mask_path_to_json(snake, out));
    EXPECT_EQ(out, camel);
  }
}

TEST(FieldMaskText, WhatWouldNotComeBackIsRefused) {
  std::string out;
  EXPECT_FALSE(append_mask_path_from_json("foo_bar", out));
  EXPECT_FALSE(append_mask_path_from_json("", out));
  for (const char* snake : {"fooBar", "foo__bar", "foo_3", "foo_", "foo_Bar", "a,b", ""}) {
    EXPECT_FALSE(append_mask_path_to_json(snake, out)) << snake;
  }
}

}  // namespace
}  // namespace transom
