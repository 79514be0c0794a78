#include "control/reflection_walk.h"

#include <google/protobuf/descriptor.pb.h>
#include <gtest/gtest.h>

#include <map>

namespace transom {
namespace {

std::string file(const std::string& name, const std::vector<std::string>& imports = {}) {
  google::protobuf::FileDescriptorProto proto;
  proto.set_name(name);
  for (const std::string& import : imports) {
    proto.add_dependency(import);
  }
  return proto.SerializeAsString();
}

// What a replica knows, and what it was asked.
struct Replica {
  std::vector<std::string> services;
  std::map<std::string, std::vector<std::string>> by_symbol;
  std::map<std::string, std::vector<std::string>> by_name;
  std::vector<std::string> asked;

  Result<ReflectionAnswer> answer(ReflectionQuery query, const std::string& argument) {
    asked.push_back(argument);
    if (query == ReflectionQuery::ListServices) {
      return ReflectionAnswer{.files = {}, .services = services, .refusal = {}};
    }
    const auto& known = query == ReflectionQuery::FileByName ? by_name : by_symbol;
    auto found = known.find(argument);
    if (found == known.end()) {
      return ReflectionAnswer{.files = {}, .services = {}, .refusal = replica_error(Code::NotFound, "not known")};
    }
    return ReflectionAnswer{.files = found->second, .services = {}, .refusal = {}};
  }

  Result<std::vector<std::string>> walk(const ReflectionLimits& limits = {}) {
    return walk_reflection(
        [this](ReflectionQuery query, const std::string& argument) { return answer(query, argument); }, limits);
  }
};

TEST(ReflectionWalk, FollowsImportsAndKeepsEachFileOnce) {
  const std::string a = file("a.proto", {"b.proto", "c.proto"});
  const std::string b = file("b.proto", {"c.proto"});
  const std::string c = file("c.proto");
  Replica replica{
      {"x.A", "grpc.reflection.v1.ServerReflection", "x.B"}, {{"x.A", {a}}, {"x.B", {b, a}}}, {{"c.proto", {c}}}, {}};
  auto files = replica.walk();
  ASSERT_TRUE(files.ok()) << files.status().message;
  EXPECT_EQ(*files, (std::vector<std::string>{a, b, c}));
  EXPECT_EQ(replica.asked, (std::vector<std::string>{"", "x.A", "x.B", "c.proto"}));
}

TEST(ReflectionWalk, LeavesAMissingImportToTheLoader) {
  const std::string a = file("a.proto", {"google/protobuf/any.proto"});
  Replica replica{{"x.A"}, {{"x.A", {a}}}, {}, {}};
  auto files = replica.walk();
  ASSERT_TRUE(files.ok());
  EXPECT_EQ(files->size(), 1u);
}

TEST(ReflectionWalk, SaysWhichQuestionFailed) {
  struct Case {
    Replica replica;
    Code code;
    std::string message;
  };
  const std::vector<Case> cases = {
      {{{"x.A"}, {}, {}, {}}, Code::NotFound, "file_containing_symbol x.A: not known"},
      {{{"x.A"}, {{"x.A", {}}}, {}, {}}, Code::Internal, "file_containing_symbol x.A: the answer has no file"},
      {{{"x.A"}, {{"x.A", {"\xff"}}}, {}, {}}, Code::Internal, "sent what is no FileDescriptorProto"},
      {{{"grpc.health.v1.Health"}, {}, {}, {}}, Code::NotFound, "lists no service but gRPC's own"},
  };
  for (const Case& c : cases) {
    Replica replica = c.replica;
    auto files = replica.walk();
    ASSERT_FALSE(files.ok()) << c.message;
    EXPECT_EQ(files.status().code, c.code) << c.message;
    EXPECT_EQ(files.status().message, c.message);
  }
}

TEST(ReflectionWalk, IsBoundedInFilesAndBytes) {
  Replica replica{{"x.A"}, {{"x.A", {file("a.proto"), file("b.proto"), file("c.proto")}}}, {}, {}};
  EXPECT_TRUE(replica.walk({.files = 3}).ok());
  for (const ReflectionLimits& limits : {ReflectionLimits{.files = 2}, ReflectionLimits{.bytes = 10}}) {
    auto files = replica.walk(limits);
    ASSERT_FALSE(files.ok());
    EXPECT_EQ(files.status().code, Code::ResourceExhausted);
  }
}

TEST(ReflectionWalk, EndsWithTheCall) {
  auto files = walk_reflection(
      [](ReflectionQuery, const std::string&) -> Result<ReflectionAnswer> {
        return replica_error(Code::Unavailable, "");
      },
      {});
  ASSERT_FALSE(files.ok());
  EXPECT_EQ(files.status().code, Code::Unavailable);
  EXPECT_EQ(files.status().message, "list_services: UNAVAILABLE");
}

}  // namespace
}  // namespace transom
