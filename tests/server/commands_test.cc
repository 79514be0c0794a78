#include "server/commands.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <functional>

#include "support/temp_folder.h"

namespace transom {
namespace {

using testing::HasSubstr;
using testing::internal::CaptureStderr;
using testing::internal::CaptureStdout;
using testing::internal::GetCapturedStderr;
using testing::internal::GetCapturedStdout;

struct Outcome {
  int exit_code;
  std::string out;
  std::string err;
};

Outcome outcome_of(const std::function<int()>& command) {
  CaptureStdout();
  CaptureStderr();
  const int exit_code = command();
  return {exit_code, GetCapturedStdout(), GetCapturedStderr()};
}

std::string put(const std::string& yaml) {
  const std::string file = temp_folder() + "commands_test.yaml";
  std::ofstream(file) << yaml;
  return file;
}

constexpr const char* kSound =
    "listeners: [ { address: \"127.0.0.1:0\" } ]\nstate_dir: none\n"
    "backends: [ { name: any, replicas: [ \"127.0.0.1:1\" ] } ]\nroutes: [ { service: \"*\", backend: any } ]\n";

TEST(Commands, ABadConfigurationIsExitCodeTwoAndSaysWhere) {
  const std::string file = put("listeners: [ { address: \"127.0.0.1:0\" } ]\nworkers: many\n");
  for (const auto& command : std::vector<std::function<int()>>{
           [&] { return run_serve(file); }, [&] { return run_check(file, {}); }, [&] { return run_routes(file); }}) {
    const Outcome outcome = outcome_of(command);
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(outcome.err, file + ":2:10: workers: expected a whole number, found \"many\"\n");
  }
}

TEST(Commands, CheckTellsWhatWouldBeServed) {
  const Outcome outcome = outcome_of([] { return run_check(put(kSound), {}); });
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("listener 127.0.0.1:0\n"));
  EXPECT_EQ(outcome.err, "");
}

TEST(Commands, RoutesPrintsThem) {
  EXPECT_EQ(outcome_of([] { return run_routes(put(kSound)); }).out, "POST * -> any gRPC method any\n");
}

TEST(Commands, VersionIsOneLine) {
  EXPECT_THAT(outcome_of([] { return run_version(); }).out, testing::MatchesRegex("transom [0-9.]+\n"));
}

TEST(Commands, CheckOnlineTellsOfReplicasThatDoNotAnswer) {
  const std::string file =
      put("listeners: [ { address: \"127.0.0.1:0\" } ]\nstate_dir: none\n"
          "backends: [ { name: one, schema: [ { reflection: true } ], replicas: [ \"127.0.0.1:1\" ] } ]\n"
          "routes: [ { service: a.B, backend: one } ]\n");
  const Outcome outcome = outcome_of([&] { return run_check(file, {.online = true}); });
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("reflection of 127.0.0.1:1"));
}

}  // namespace
}  // namespace transom
