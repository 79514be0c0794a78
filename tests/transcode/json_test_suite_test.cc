// JSONTestSuite (tests/data/json_test_suite): each file as the value of a google.protobuf.Value.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "base/padded_text.h"
#include "support/proto_text.h"
#include "transcode/json_to_wire.h"
#include "transcode/wire_to_json.h"

namespace transom {
namespace {

struct SuiteFile {
  std::string name;
  std::string bytes;
};

std::vector<SuiteFile> suite_files(const std::string& prefix) {
  std::vector<SuiteFile> files;
  for (const auto& entry : std::filesystem::directory_iterator(TRANSOM_TEST_DATA "/json_test_suite/test_parsing")) {
    const std::string name = entry.path().filename();
    if (name.starts_with(prefix)) {
      std::ifstream file(entry.path(), std::ios::binary);
      files.push_back({name, {std::istreambuf_iterator<char>(file), {}}});
    }
  }
  std::ranges::sort(files, {}, &SuiteFile::name);
  return files;
}

struct Parsed {
  Status status;
  std::string wire;
};

const SchemaPtr& holder_schema() {
  static const SchemaPtr schema = schema_of(R"(
    syntax = "proto3"; package t; import "google/protobuf/struct.proto";
    message Holder { google.protobuf.Value any_value = 1; })");
  return schema;
}

Parsed parse(const SuiteFile& file, const JsonOptions& options = {}, const std::string& member = "anyValue") {
  std::string json = "{\"" + member + "\": " + file.bytes + "}";
  pad_for_json(json);
  RequestShape shape;
  shape.message = holder_schema()->find_message("t.Holder");
  shape.body = BodyKind::Whole;
  Parsed parsed;
  parsed.status = json_to_wire({.shape = shape, .bindings = {}, .options = options, .message_bytes_max = 1 << 20}, json,
                               parsed.wire);
  return parsed;
}

Status print(const std::string& wire) {
  ResponseShape shape;
  shape.message = holder_schema()->find_message("t.Holder");
  std::string json;
  return wire_to_json({.shape = shape, .options = {}, .json_bytes_max = 1 << 20}, wire, json);
}

TEST(JsonTestSuite, AcceptsWhatIsJson) {
  // Valid JSON, but ProtoJSON leaves it open what a key given twice means; refusing it is the default, and an option.
  const std::set<std::string> duplicate_keys = {"y_object_duplicated_key.json",
                                                "y_object_duplicated_key_and_value.json"};
  const auto files = suite_files("y_");
  EXPECT_EQ(files.size(), 95u);
  for (const SuiteFile& file : files) {
    const Parsed parsed = parse(file);
    EXPECT_EQ(parsed.status.ok(), !duplicate_keys.contains(file.name)) << file.name << ": " << parsed.status.message;
    JsonOptions last_wins;
    last_wins.strictness.set(Slip::DuplicateKey, Verdict::Ignore);
    const Parsed lenient = parse(file, last_wins);
    EXPECT_TRUE(lenient.status.ok()) << file.name << ": " << lenient.status.message;
    EXPECT_TRUE(print(lenient.wire).ok()) << file.name;
  }
}

TEST(JsonTestSuite, RefusesWhatIsNot) {
  const auto files = suite_files("n_");
  EXPECT_EQ(files.size(), 188u);
  for (const SuiteFile& file : files) {
    JsonOptions lenient;
    lenient.strictness.set(Slip::UnknownField, Verdict::Ignore).set(Slip::DuplicateKey, Verdict::Ignore);
    for (const Parsed& parsed : {parse(file), parse(file, lenient), parse(file, lenient, "memberThatIsSkipped")}) {
      EXPECT_EQ(parsed.status.code, Code::InvalidArgument) << file.name << ": " << parsed.status.message;
      EXPECT_EQ(parsed.status.fault, Fault::Client) << file.name;
    }
  }
}

// The standard leaves them to the parser. What is taken can be printed; what is not is the client's fault.
TEST(JsonTestSuite, SettlesWhatMayBeEither) {
  const auto files = suite_files("i_");
  EXPECT_EQ(files.size(), 35u);
  for (const SuiteFile& file : files) {
    const Parsed parsed = parse(file);
    if (parsed.status.ok()) {
      EXPECT_TRUE(print(parsed.wire).ok()) << file.name;
    } else {
      EXPECT_EQ(parsed.status.code, Code::InvalidArgument) << file.name << ": " << parsed.status.message;
    }
  }
}

}  // namespace
}  // namespace transom
