#include "support/proto_text.h"

#include <google/protobuf/compiler/importer.h>
#include <google/protobuf/descriptor.h>
#include <google/protobuf/descriptor.pb.h>
#include <google/protobuf/descriptor_database.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

#include <cstdio>
#include <cstdlib>

#include "schema/builtin_files.h"
#include "schema/schema_loader.h"

namespace transom {
namespace {

namespace pb = google::protobuf;

class TextTree : public pb::compiler::SourceTree {
 public:
  explicit TextTree(const std::map<std::string, std::string>& files) : files_(files) {}
  pb::io::ZeroCopyInputStream* Open(const std::string& name) override {
    auto found = files_.find(name);
    return found == files_.end()
               ? nullptr
               : new pb::io::ArrayInputStream(found->second.data(), static_cast<int>(found->second.size()));
  }

 private:
  const std::map<std::string, std::string>& files_;
};

[[noreturn]] void give_up(const std::string& what) {
  std::fprintf(stderr, "the test's own schema is wrong: %s\n", what.c_str());
  std::abort();
}

class Strict : public pb::compiler::MultiFileErrorCollector {
 public:
  void AddError(const std::string& name, int line, int, const std::string& message) override {
    give_up(name + ":" + std::to_string(line + 1) + ": " + message);
  }
};

}  // namespace

std::string descriptor_set_of(const std::map<std::string, std::string>& files) {
  pb::FileDescriptorSet builtin;
  builtin.ParseFromString(std::string(builtin_descriptor_set()));
  pb::SimpleDescriptorDatabase fallback;
  for (const pb::FileDescriptorProto& file : builtin.file()) {
    if (!files.contains(file.name())) {
      fallback.Add(file);
    }
  }
  TextTree tree(files);
  Strict errors;
  pb::compiler::SourceTreeDescriptorDatabase database(&tree, &fallback);
  database.RecordErrorsTo(&errors);
  pb::DescriptorPool pool(&database, database.GetValidationErrorCollector());
  pb::FileDescriptorSet set;
  for (const auto& [name, text] : files) {
    const pb::FileDescriptor* file = pool.FindFileByName(name);
    if (file == nullptr) {
      give_up(name);
    }
    file->CopyTo(set.add_file());
    file->CopyJsonNameTo(set.mutable_file(set.file_size() - 1));
  }
  return set.SerializeAsString();
}

SchemaPtr schema_of(const std::string& text) {
  SchemaLoader loader;
  Status status = loader.add_descriptor_set(descriptor_set_of({{"test.proto", text}}), "test");
  auto schema = status.ok() ? loader.load() : Result<SchemaPtr>(status);
  if (!schema.ok()) {
    give_up(schema.status().message);
  }
  return *schema;
}

}  // namespace transom
