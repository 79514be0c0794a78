#include "schema/field_path.h"

#include <gtest/gtest.h>

#include "support/proto_text.h"

namespace transom {
namespace {

const SchemaPtr& schema() {
  static const SchemaPtr made = schema_of(R"(
    syntax = "proto2"; package t;
    message M {
      optional M the_m = 1;
      optional int32 num = 2;
      repeated M many = 3;
      map<string, M> by_name = 4;
      optional group Grp = 5 { optional int32 x = 6; }
    }
  )");
  return made;
}

TEST(FieldPath, ResolvesByEitherName) {
  for (const char* dotted : {"num", "theM.num", "the_m.theM.num", "the_m.many", "by_name", "byName"}) {
    EXPECT_TRUE(resolve_field_path(*schema()->find_message("t.M"), dotted).ok()) << dotted;
  }
  auto path = resolve_field_path(*schema()->find_message("t.M"), "theM.the_m.byName");
  ASSERT_TRUE(path.ok());
  EXPECT_EQ(path->size(), 3u);
  EXPECT_EQ(format_field_path(*path), "the_m.the_m.by_name");
}

TEST(FieldPath, SaysWhichPartIsWrong) {
  struct Case {
    const char* dotted;
    Code code;
    const char* message;
  };
  for (const Case& c : {
           Case{"nope", Code::NotFound, "t.M has no field `nope`"},
           Case{"the_m.nope", Code::NotFound, "t.M has no field `nope`"},
           Case{"", Code::NotFound, "t.M has no field ``"},
           Case{"the_m.", Code::NotFound, "t.M has no field ``"},
           Case{"num.x", Code::InvalidArgument, "`num` is not a message, its fields cannot be named"},
           Case{"many.num", Code::InvalidArgument, "`many` is repeated, its fields cannot be named"},
           Case{"by_name.key", Code::InvalidArgument, "`by_name` is a map, its fields cannot be named"},
           Case{"grp.x", Code::InvalidArgument, "`grp` is a group, its fields cannot be named"},
       }) {
    auto path = resolve_field_path(*schema()->find_message("t.M"), c.dotted);
    ASSERT_FALSE(path.ok()) << c.dotted;
    EXPECT_EQ(path.status().code, c.code) << c.dotted;
    EXPECT_EQ(path.status().message, c.message);
  }
}

TEST(FieldPath, IsBoundedInItsParts) {
  std::string dotted = "num";
  for (int i = 1; i < 100; ++i) {
    dotted = "theM." + dotted;
  }
  EXPECT_TRUE(resolve_field_path(*schema()->find_message("t.M"), dotted).ok());
  EXPECT_FALSE(resolve_field_path(*schema()->find_message("t.M"), "theM." + dotted).ok());
}

}  // namespace
}  // namespace transom
