#include "schema/file_order.h"

#include <google/protobuf/descriptor.pb.h>
#include <gtest/gtest.h>

#include <deque>

namespace transom {
namespace {

// Files by name, with their imports.
class FileOrder : public testing::Test {
 protected:
  void add(const std::string& name, const std::vector<std::string>& imports) {
    auto& proto = protos_.emplace_back();
    proto.set_name(name);
    for (const std::string& import : imports) {
      proto.add_dependency(import);
    }
    files_[name] = {&proto, name + ".pb"};
  }

  std::string order() {
    auto ordered = order_files(files_);
    if (!ordered.ok()) {
      return ordered.status().message;
    }
    std::string text;
    for (const SourcedFile* file : *ordered) {
      text += file->proto->name() + " ";
    }
    return text;
  }

  std::deque<google::protobuf::FileDescriptorProto> protos_;
  std::map<std::string, SourcedFile> files_;
};

TEST_F(FileOrder, PutsImportsFirstAndEachOnce) {
  add("a", {"c", "b"});
  add("b", {"c", "d"});
  add("c", {"d"});
  add("d", {});
  EXPECT_EQ(order(), "d c b a ");
}

TEST_F(FileOrder, NamesTheFileThatWantsAMissingImport) {
  add("a", {"b"});
  add("b", {"gone.proto"});
  EXPECT_EQ(order(), "b (b.pb) imports \"gone.proto\", which no source of this schema has");
}

TEST_F(FileOrder, RefusesARing) {
  add("a", {"b"});
  add("b", {"a"});
  EXPECT_EQ(order(), "b (b.pb) imports \"a\", which imports it in turn");
}

TEST_F(FileOrder, BearsAChainOfAnyLength) {
  for (int i = 0; i < 100'000; ++i) {
    add(std::to_string(i), {std::to_string(i + 1)});
  }
  add("100000", {});
  EXPECT_EQ(order().rfind("100000 99999 ", 0), 0u);
}

}  // namespace
}  // namespace transom
