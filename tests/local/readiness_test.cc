#include "local/readiness.h"

#include <gtest/gtest.h>

namespace transom {
namespace {

std::shared_ptr<BackendState> state(bool is_up) {
  BackendOptions options;
  options.replicas.resize(1);
  auto state = BackendState::make(options);
  if (is_up) state->worker_up(0);
  return state;
}

TEST(Readiness, TheRuleSaysWhichBackendsMustServe) {
  const struct {
    ReadyRule rule;
    bool first_is_up;
    bool second_has_schema;
    const char* reason;
  } rows[] = {
      {ReadyRule::All, true, true, ""},
      {ReadyRule::All, false, true, "backend one has no replica up"},
      {ReadyRule::All, false, false, "backend one has no replica up; backend two has not told its schema yet"},
      {ReadyRule::Any, false, true, ""},
      {ReadyRule::Any, true, false, ""},
      {ReadyRule::Any, false, false, "backend one has no replica up; backend two has not told its schema yet"},
      {ReadyRule::None, false, false, ""},
  };
  for (const auto& row : rows) {
    Readiness readiness(row.rule);
    readiness.add_backend("one", state(row.first_is_up), true);
    readiness.add_backend("two", state(true), false);
    readiness.set_has_schema(1, row.second_has_schema);
    EXPECT_EQ(readiness.unready_reason(), row.reason);
    EXPECT_EQ(readiness.is_ready(), std::string(row.reason).empty());
    EXPECT_EQ(readiness.can_serve(0), row.first_is_up);
    EXPECT_EQ(readiness.can_serve(1), row.second_has_schema);
  }
}

TEST(Readiness, NothingIsReadyWhileItDrainsOrTakesUpASchema) {
  Readiness readiness(ReadyRule::Any);
  readiness.add_backend("one", state(true), true);
  readiness.set_installing(true);
  EXPECT_EQ(readiness.unready_reason(), "a new schema is being taken up");
  readiness.set_installing(false);
  EXPECT_TRUE(readiness.is_ready());
  readiness.set_draining();
  EXPECT_EQ(readiness.unready_reason(), "draining");
}

}  // namespace
}  // namespace transom
