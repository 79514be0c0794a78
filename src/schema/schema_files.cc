#include "schema/schema_files.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/descriptor.pb.h>

namespace transom {

using google::protobuf::Descriptor;
using google::protobuf::EnumDescriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::FileDescriptor;
using google::protobuf::FileDescriptorProto;
using google::protobuf::ServiceDescriptor;

void SchemaFiles::add(const FileDescriptor& from) {
  const size_t index = files_.size();
  FileDescriptorProto proto;
  from.CopyTo(&proto);
  from.CopyJsonNameTo(&proto);
  files_.push_back({from.name(), proto.SerializeAsString(), {proto.dependency().begin(), proto.dependency().end()}});
  by_name_.emplace(from.name(), index);
  for (int i = 0; i < from.message_type_count(); ++i) {
    add_message(*from.message_type(i), index);
  }
  for (int i = 0; i < from.enum_type_count(); ++i) {
    add_enum(*from.enum_type(i), index);
  }
  for (int i = 0; i < from.service_count(); ++i) {
    add_service(*from.service(i), index);
  }
  for (int i = 0; i < from.extension_count(); ++i) {
    add_extension(*from.extension(i), index);
  }
}

// Messages nest as deep as protobuf's own pool lets them.
void SchemaFiles::add_message(const Descriptor& message, size_t file) {
  by_symbol_.emplace(message.full_name(), Symbol{file, true});
  for (int i = 0; i < message.field_count(); ++i) {
    by_symbol_.emplace(message.field(i)->full_name(), Symbol{file});
  }
  for (int i = 0; i < message.oneof_decl_count(); ++i) {
    by_symbol_.emplace(message.oneof_decl(i)->full_name(), Symbol{file});
  }
  for (int i = 0; i < message.nested_type_count(); ++i) {
    add_message(*message.nested_type(i), file);
  }
  for (int i = 0; i < message.enum_type_count(); ++i) {
    add_enum(*message.enum_type(i), file);
  }
  for (int i = 0; i < message.extension_count(); ++i) {
    add_extension(*message.extension(i), file);
  }
}

void SchemaFiles::add_enum(const EnumDescriptor& type, size_t file) {
  by_symbol_.emplace(type.full_name(), Symbol{file});
  for (int i = 0; i < type.value_count(); ++i) {
    by_symbol_.emplace(type.value(i)->full_name(), Symbol{file});
  }
}

void SchemaFiles::add_service(const ServiceDescriptor& service, size_t file) {
  by_symbol_.emplace(service.full_name(), Symbol{file});
  for (int i = 0; i < service.method_count(); ++i) {
    by_symbol_.emplace(service.method(i)->full_name(), Symbol{file});
  }
}

void SchemaFiles::add_extension(const FieldDescriptor& extension, size_t file) {
  by_symbol_.emplace(extension.full_name(), Symbol{file});
  by_extension_[extension.containing_type()->full_name()].emplace(extension.number(), file);
}

const SchemaFile* SchemaFiles::find(std::string_view name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : &files_[found->second];
}

const SchemaFile* SchemaFiles::find_by_symbol(std::string_view full_name) const {
  const auto found = by_symbol_.find(full_name);
  return found == by_symbol_.end() ? nullptr : &files_[found->second.file];
}

const SchemaFile* SchemaFiles::find_by_extension(std::string_view extendee, int32_t number) const {
  const auto extensions = by_extension_.find(extendee);
  if (extensions == by_extension_.end()) {
    return nullptr;
  }
  const auto found = extensions->second.find(number);
  return found == extensions->second.end() ? nullptr : &files_[found->second];
}

bool SchemaFiles::has_message(std::string_view full_name) const {
  const auto found = by_symbol_.find(full_name);
  return found != by_symbol_.end() && found->second.is_message;
}

std::vector<int32_t> SchemaFiles::extension_numbers(std::string_view extendee) const {
  std::vector<int32_t> numbers;
  if (const auto extensions = by_extension_.find(extendee); extensions != by_extension_.end()) {
    for (const auto& extension : extensions->second) {
      numbers.push_back(extension.first);
    }
  }
  return numbers;
}

}  // namespace transom
