#include "server/transcode_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "support/temp_folder.h"

namespace transom {
namespace {

using namespace std::string_literals;

// { id: "a" } of M below.
constexpr const char* kWire = "\x0a\x01" "a";

TranscodeFlags flags_of(bool is_request, bool is_framed = false) {
  const std::string file = temp_folder() + "transcode_command_test.proto";
  std::ofstream(file) << "syntax = \"proto3\"; package t; message M { string id = 1; repeated int32 n = 2; }"
                         "service S { rpc Get(M) returns (M); }";
  return {.schemas = {file},
          .import_paths = {temp_folder()},
          .rpc = "t.S/Get",
          .is_request = is_request,
          .is_framed = is_framed};
}

std::string outcome_of(const TranscodeFlags& flags, std::string input) {
  const Result<std::string> output = transcode_input(flags, std::move(input));
  return output.ok() ? *output : output.status().message;
}

TEST(TranscodeCommand, GoesBothWays) {
  EXPECT_EQ(outcome_of(flags_of(true), R"({"id": "a"})"), kWire);
  EXPECT_EQ(outcome_of(flags_of(false), kWire), "{\"id\":\"a\"}\n");
  EXPECT_EQ(outcome_of(flags_of(false), ""), "{}\n");
}

TEST(TranscodeCommand, FramesMessagesOnDemand) {
  const std::string framed = "\0\0\0\0\3"s + kWire;
  EXPECT_EQ(outcome_of(flags_of(true, true), R"({"id": "a"})"), framed);
  EXPECT_EQ(outcome_of(flags_of(false, true), framed + framed), "{\"id\":\"a\"}\n{\"id\":\"a\"}\n");
}

TEST(TranscodeCommand, SaysWhereTheInputIsWrong) {
  const struct {
    TranscodeFlags flags;
    std::string input;
    std::string message;
  } cases[] = {
      {flags_of(true), R"({"n": [1, "x"]})", "n[1]: expected a number, found a string (at byte 10)"},
      {flags_of(true), "", "expected JSON, found nothing (at byte 0)"},
      {flags_of(false), "\x0a\x05" "a", "id: expected 5 bytes, found 1 before the end (at byte 1)"},
      {flags_of(false, true), "\0\0\0\0\3\x0a\x01\xff"s,
       "message 0: id: expected UTF-8, found the byte 0xff (at byte 2)"},
      {flags_of(false, true), "\0\0\0\0\3\x0a"s,
       "expected the rest of a framed message, found the end (at byte 6)"},
      {flags_of(false, true), "\1\0\0\0\0"s,
       "message 0: expected one that is not compressed, found the flag for one that is"},
  };
  for (const auto& each : cases) {
    EXPECT_EQ(outcome_of(each.flags, each.input), each.message);
  }
}

TEST(TranscodeCommand, KnowsTheRpcInEachSpelling) {
  TranscodeFlags flags = flags_of(true);
  for (const char* rpc : {"/t.S/Get", "t.S.Get"}) {
    flags.rpc = rpc;
    EXPECT_EQ(outcome_of(flags, "{}"), "") << rpc;
  }
  flags.rpc = "t.S/Got";
  EXPECT_EQ(outcome_of(flags, "{}"), "the schema has no RPC \"t.S/Got\"; did you mean t.S/Get?");
  flags.schemas = {"nowhere.pb"};
  EXPECT_THAT(outcome_of(flags, "{}"), testing::HasSubstr("nowhere.pb"));
}

}  // namespace
}  // namespace transom
