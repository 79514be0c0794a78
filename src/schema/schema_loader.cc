#include "schema/schema_loader.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/descriptor.pb.h>

#include <fstream>
#include <sstream>
#include <unordered_map>
#include <unordered_set>

#include "base/check.h"
#include "schema/file_set.h"
#include "schema/http_rule_reader.h"
#include "schema/plan_compiler.h"
#include "schema/proto_importer.h"

namespace transom {
namespace {

using google::protobuf::DescriptorPool;
using google::protobuf::FileDescriptor;
using google::protobuf::FileDescriptorProto;
using google::protobuf::FileDescriptorSet;
using google::protobuf::MethodDescriptor;
using google::protobuf::MethodOptions;
using google::protobuf::ServiceDescriptor;

template <class Value>
Value* look_up(const std::unordered_map<std::string_view, Value*>& map, std::string_view name) {
  auto found = map.find(name);
  return found == map.end() ? nullptr : found->second;
}

class CompiledSchema : public Schema {
 public:
  explicit CompiledSchema(std::string digest) : digest_(std::move(digest)) {}

  Status compile(const DescriptorPool& pool, const std::vector<const FileDescriptor*>& files);

  std::span<const MethodPlan> methods() const override { return methods_; }
  bool has_service(std::string_view service) const override { return services_.contains(std::string(service)); }
  const MethodPlan* find_method(std::string_view full_name) const override { return look_up(method_of_, full_name); }
  const MessagePlan* find_message(std::string_view full_name) const override { return look_up(message_of_, full_name); }
  const EnumPlan* find_enum(std::string_view full_name) const override { return look_up(enum_of_, full_name); }
  const SchemaFiles& files() const override { return files_; }
  std::string_view digest() const override { return digest_; }

 private:
  Status add_service(const ServiceDescriptor& service, const PlanCompiler& compiler);

  PlanArena arena_;
  SchemaFiles files_;
  std::string digest_;
  std::vector<MethodPlan> methods_;
  std::unordered_set<std::string> services_;
  std::unordered_map<std::string_view, const MethodPlan*> method_of_;
  std::unordered_map<std::string_view, const MessagePlan*> message_of_;
  std::unordered_map<std::string_view, const EnumPlan*> enum_of_;
};

Result<MethodPlan> make_method(const MethodDescriptor& method, const PlanCompiler& compiler) {
  MethodPlan plan;
  plan.full_name = method.full_name();
  plan.service = method.service()->full_name();
  plan.path = "/" + plan.service + "/" + method.name();
  plan.input = compiler.message(method.input_type());
  plan.output = compiler.message(method.output_type());
  plan.is_client_streaming = method.client_streaming();
  plan.is_server_streaming = method.server_streaming();
  plan.is_idempotent = method.options().idempotency_level() != MethodOptions::IDEMPOTENCY_UNKNOWN;
  auto rules = read_http_rules(method.options().SerializeAsString(), plan.full_name);
  if (!rules.ok()) {
    return rules.status();
  }
  plan.rules = std::move(*rules);
  return plan;
}

Status CompiledSchema::add_service(const ServiceDescriptor& service, const PlanCompiler& compiler) {
  services_.insert(service.full_name());
  for (int i = 0; i < service.method_count(); ++i) {
    auto method = make_method(*service.method(i), compiler);
    if (!method.ok()) {
      return method.status();
    }
    methods_.push_back(std::move(*method));
  }
  return {};
}

Status CompiledSchema::compile(const DescriptorPool& pool, const std::vector<const FileDescriptor*>& files) {
  PlanCompiler compiler(arena_, *this);
  if (Status status = compiler.compile(pool, files); !status.ok()) {
    return status;
  }
  for (const FileDescriptor* file : files) {
    files_.add(*file);
    for (int i = 0; i < file->service_count(); ++i) {
      if (Status status = add_service(*file->service(i), compiler); !status.ok()) {
        return status;
      }
    }
  }
  for (const MessagePlan& message : compiler.messages()) {
    message_of_[message.full_name] = &message;
  }
  for (const EnumPlan& type : compiler.enums()) {
    enum_of_[type.full_name] = &type;
  }
  for (const MethodPlan& method : methods_) {
    method_of_[method.full_name] = &method;
  }
  return {};
}

Result<std::string> read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;
  if (!file || !(bytes << file.rdbuf())) {
    return proxy_error(Code::InvalidArgument, path + ": cannot be read, or is empty");
  }
  return bytes.str();
}

}  // namespace

struct SchemaLoader::Files {
  FileSet set;
};

SchemaLoader::SchemaLoader() : files_(std::make_unique<Files>()) {}
SchemaLoader::~SchemaLoader() = default;

Status SchemaLoader::add_descriptor_set_file(const std::string& path) {
  auto bytes = read_file(path);
  return bytes.ok() ? add_descriptor_set(*bytes, path) : bytes.status();
}

Status SchemaLoader::add_descriptor_set(std::string_view bytes, const std::string& source) {
  FileDescriptorSet set;
  if (!set.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    return proxy_error(Code::InvalidArgument, source + ": is no serialized FileDescriptorSet");
  }
  for (const FileDescriptorProto& file : set.file()) {
    if (Status status = files_->set.add(file, source); !status.ok()) {
      return status;
    }
  }
  return {};
}

Status SchemaLoader::add_file_descriptor(std::string_view bytes, const std::string& source) {
  FileDescriptorProto file;
  if (!file.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    return proxy_error(Code::InvalidArgument, source + ": sent what is no serialized FileDescriptorProto");
  }
  return files_->set.add(file, source);
}

Status SchemaLoader::add_proto_file(const std::string& path, const std::vector<std::string>& import_paths) {
  std::vector<FileDescriptorProto> files;
  if (Status status = import_proto_file(path, import_paths, files); !status.ok()) {
    return status;
  }
  for (const FileDescriptorProto& file : files) {
    if (Status status = files_->set.add(file, path); !status.ok()) {
      return status;
    }
  }
  return {};
}

Result<SchemaPtr> SchemaLoader::load() {
  DescriptorPool pool;
  auto files = files_->set.build(pool);
  if (!files.ok()) {
    return files.status();
  }
  auto schema = std::make_shared<CompiledSchema>(files_->set.digest());
  if (Status status = schema->compile(pool, *files); !status.ok()) {
    return status;
  }
  return SchemaPtr(std::move(schema));
}

std::string SchemaLoader::descriptor_set() const { return files_->set.serialized(); }

SchemaPtr builtin_schema() {
  static const SchemaPtr schema = [] {
    Result<SchemaPtr> loaded = SchemaLoader().load();
    check(loaded.ok(), "the built-in files make a schema");
    return *loaded;
  }();
  return schema;
}

}  // namespace transom
