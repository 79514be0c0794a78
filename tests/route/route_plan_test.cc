#include "route/route_plan.h"

#include <gtest/gtest.h>

#include "support/proto_text.h"

namespace transom {
namespace {

const SchemaPtr& schema() {
  static const SchemaPtr made = schema_of(R"(
    syntax = "proto3";
    package t;
    message Sub { string the_name = 1; }
    message In { string id = 1; Sub sub = 2; repeated Sub subs = 3; }
    message Out { Sub sub = 1; repeated string names = 2; }
    service Svc { rpc A(In) returns (Out); }
  )");
  return made;
}

struct Applied {
  Route route;
  RoutePlan plan;
  Status status;
};

std::unique_ptr<Applied> apply(const HttpRule& rule) {
  auto applied = std::make_unique<Applied>();
  applied->route.plan = schema()->find_method("t.Svc.A");
  applied->plan.route = &applied->route;
  applied->status = apply_rule(rule, applied->plan);
  return applied;
}

TEST(RoutePlan, ResolvesVariablesByJsonAndProtoNamesInTheirOrder) {
  for (const char* path : {"/{sub.the_name}/{id}", "/{sub.theName}/{id}"}) {
    auto applied = apply({"", "GET", path, "", ""});
    ASSERT_TRUE(applied->status.ok()) << applied->status.message;
    const auto& fields = applied->route.request.path_fields;
    ASSERT_EQ(fields.size(), 2u);
    EXPECT_EQ(fields[0].back()->proto_name, "the_name");
    EXPECT_EQ(fields[1].back()->proto_name, "id");
    EXPECT_EQ(applied->plan.path.variables.size(), 2u);
  }
}

TEST(RoutePlan, ShapesTheBody) {
  struct Case {
    std::string body;
    BodyKind kind;
    std::string field;
  };
  for (const Case& c :
       {Case{"", BodyKind::None, ""}, Case{"*", BodyKind::Whole, ""}, Case{"sub", BodyKind::Field, "sub"},
        Case{"subs", BodyKind::Field, "subs"}, Case{"id", BodyKind::Field, "id"}}) {
    auto applied = apply({"", "POST", "/x", c.body, ""});
    ASSERT_TRUE(applied->status.ok()) << c.body;
    const RequestShape& shape = applied->route.request;
    EXPECT_EQ(shape.message, schema()->find_message("t.In"));
    EXPECT_EQ(shape.body, c.kind) << c.body;
    EXPECT_EQ(shape.body_field.empty() ? "" : shape.body_field.back()->proto_name, c.field);
  }
}

TEST(RoutePlan, ShapesTheAnswer) {
  for (const auto& [body, field] : {std::pair{"", ""}, {"*", ""}, {"names", "names"}, {"sub", "sub"}}) {
    auto applied = apply({"", "GET", "/x", "", body});
    ASSERT_TRUE(applied->status.ok()) << body;
    const ResponseShape& shape = applied->route.response;
    EXPECT_EQ(shape.message, schema()->find_message("t.Out"));
    EXPECT_EQ(shape.body_field == nullptr ? "" : shape.body_field->proto_name, field);
  }
}

TEST(RoutePlan, HasAReadyPathForEachTopField) {
  auto paths = make_top_paths(*schema()->find_message("t.In"));
  ASSERT_EQ(paths->size(), 3u);
  for (const FieldPlan& field : schema()->find_message("t.In")->fields) {
    EXPECT_EQ((*paths)[field.index], FieldPath{&field});
  }
}

TEST(RoutePlan, LetsTheBodyFieldHoldAFieldThatThePathBinds) {
  EXPECT_TRUE(apply({"", "PUT", "/{sub.the_name}", "sub", ""})->status.ok());
}

}  // namespace
}  // namespace transom
