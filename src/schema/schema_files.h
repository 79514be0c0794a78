// SchemaFiles are the descriptor files that a Schema was made from, for those who ask for them by reflection: each as
// bytes, found by its name, by what it declares, or by the extensions it brings. Made by the SchemaLoader, then
// constant and shared by every thread as part of the Schema.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace google::protobuf {
class Descriptor;
class EnumDescriptor;
class FieldDescriptor;
class FileDescriptor;
class ServiceDescriptor;
}  // namespace google::protobuf

namespace transom {

struct SchemaFile {
  std::string name;
  std::string bytes;                 // a serialized FileDescriptorProto, without comments
  std::vector<std::string> imports;  // names of files that are there too
};

class SchemaFiles {
 public:
  void add(const google::protobuf::FileDescriptor& file);

  // nullptr when there is none.
  const SchemaFile* find(std::string_view name) const;
  // That declares a message, enum, service, method, field, enum value, oneof or extension of this full name.
  const SchemaFile* find_by_symbol(std::string_view full_name) const;
  const SchemaFile* find_by_extension(std::string_view extendee, int32_t number) const;
  bool has_message(std::string_view full_name) const;
  // Numbers of all known extensions of that message, ascending.
  std::vector<int32_t> extension_numbers(std::string_view extendee) const;

 private:
  void add_message(const google::protobuf::Descriptor& message, size_t file);
  void add_enum(const google::protobuf::EnumDescriptor& type, size_t file);
  void add_service(const google::protobuf::ServiceDescriptor& service, size_t file);
  void add_extension(const google::protobuf::FieldDescriptor& extension, size_t file);

  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  struct Symbol {
    size_t file = 0;  // in files_
    bool is_message = false;
  };

  std::vector<SchemaFile> files_;
  std::unordered_map<std::string, size_t, Hash, std::equal_to<>> by_name_;
  std::unordered_map<std::string, Symbol, Hash, std::equal_to<>> by_symbol_;
  std::map<std::string, std::map<int32_t, size_t>, std::less<>> by_extension_;
};

}  // namespace transom
