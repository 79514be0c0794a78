#include "schema/file_compare.h"

#include <google/protobuf/descriptor.pb.h>

#include <string_view>

namespace transom {
namespace {

using google::protobuf::DescriptorProto;
using google::protobuf::EnumDescriptorProto;
using google::protobuf::FieldDescriptorProto;
using google::protobuf::FileDescriptorProto;
using google::protobuf::ServiceDescriptorProto;

// As protoc derives it: "foo_bar" is "fooBar".
std::string derived_json_name(std::string_view name) {
  std::string derived;
  bool raise = false;
  for (char c : name) {
    if (c == '_') {
      raise = true;
      continue;
    }
    derived += raise && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    raise = false;
  }
  return derived;
}

void normalize_field(FieldDescriptorProto& field) {
  if (field.json_name() == derived_json_name(field.name())) {
    field.clear_json_name();
  }
}

void normalize_message(DescriptorProto& message) {
  for (FieldDescriptorProto& field : *message.mutable_field()) {
    normalize_field(field);
  }
  for (FieldDescriptorProto& extension : *message.mutable_extension()) {
    normalize_field(extension);
  }
  for (DescriptorProto& nested : *message.mutable_nested_type()) {
    normalize_message(nested);
  }
}

template <class List>
auto find_named(const List& list, const std::string& name) -> decltype(&list[0]) {
  for (const auto& item : list) {
    if (item.name() == name) {
      return &item;
    }
  }
  return nullptr;
}

bool is_alike(const FieldDescriptorProto& a, const FieldDescriptorProto& b) {
  return a.number() == b.number() && a.type() == b.type() && a.label() == b.label() && a.type_name() == b.type_name() &&
         a.extendee() == b.extendee();
}

template <class Fields>
std::string find_lacking_field(const Fields& larger, const Fields& smaller, const std::string& scope,
                               const char* what) {
  for (const FieldDescriptorProto& field : smaller) {
    const FieldDescriptorProto* other = find_named(larger, field.name());
    if (other == nullptr || !is_alike(*other, field)) {
      return what + scope + "." + field.name();
    }
  }
  return "";
}

template <class Enums>
std::string find_lacking_enum(const Enums& larger, const Enums& smaller, const std::string& scope) {
  for (const EnumDescriptorProto& type : smaller) {
    const EnumDescriptorProto* other = find_named(larger, type.name());
    for (const auto& value : type.value()) {
      const auto* other_value = other == nullptr ? nullptr : find_named(other->value(), value.name());
      if (other_value == nullptr || other_value->number() != value.number()) {
        return "enum value " + scope + "." + type.name() + "." + value.name();
      }
    }
  }
  return "";
}

std::string find_lacking_message(const DescriptorProto& larger, const DescriptorProto& smaller,
                                 const std::string& name) {
  std::string lacking = find_lacking_field(larger.field(), smaller.field(), name, "field ");
  if (lacking.empty()) {
    lacking = find_lacking_field(larger.extension(), smaller.extension(), name, "extension ");
  }
  if (lacking.empty()) {
    lacking = find_lacking_enum(larger.enum_type(), smaller.enum_type(), name);
  }
  for (int i = 0; i < smaller.nested_type_size() && lacking.empty(); ++i) {
    const DescriptorProto& nested = smaller.nested_type(i);
    const DescriptorProto* other = find_named(larger.nested_type(), nested.name());
    const std::string nested_name = name + "." + nested.name();
    lacking = other == nullptr ? "message " + nested_name : find_lacking_message(*other, nested, nested_name);
  }
  return lacking;
}

std::string find_lacking_service(const FileDescriptorProto& larger, const FileDescriptorProto& smaller) {
  for (const ServiceDescriptorProto& service : smaller.service()) {
    const ServiceDescriptorProto* other = find_named(larger.service(), service.name());
    for (const auto& method : service.method()) {
      if (other == nullptr || find_named(other->method(), method.name()) == nullptr) {
        return "method " + smaller.package() + "." + service.name() + "." + method.name();
      }
    }
  }
  return "";
}

}  // namespace

void normalize_file(FileDescriptorProto& file) {
  file.clear_source_code_info();
  file.clear_options();
  if (file.syntax() == "proto2") {
    file.clear_syntax();
  }
  for (DescriptorProto& message : *file.mutable_message_type()) {
    normalize_message(message);
  }
  for (FieldDescriptorProto& extension : *file.mutable_extension()) {
    normalize_field(extension);
  }
}

std::string find_lacking(const FileDescriptorProto& larger, const FileDescriptorProto& smaller) {
  const std::string& package = smaller.package();
  if (larger.package() != package) {
    return "package " + package;
  }
  std::string lacking = find_lacking_field(larger.extension(), smaller.extension(), package, "extension ");
  if (lacking.empty()) {
    lacking = find_lacking_enum(larger.enum_type(), smaller.enum_type(), package);
  }
  if (lacking.empty()) {
    lacking = find_lacking_service(larger, smaller);
  }
  for (int i = 0; i < smaller.message_type_size() && lacking.empty(); ++i) {
    const DescriptorProto& message = smaller.message_type(i);
    const DescriptorProto* other = find_named(larger.message_type(), message.name());
    const std::string name = package + "." + message.name();
    lacking = other == nullptr ? "message " + name : find_lacking_message(*other, message, name);
  }
  return lacking;
}

}  // namespace transom
