// A ServiceSchema is the set of services and messages that JSON is transcoded by, loaded once from descriptors. It is a
// handle to something immutable: copies are cheap and share it, any thread may use it, and the last handle ends it.
// Loading reads the files that the sources name; nothing else in this library touches the outside world.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "transom/expected.h"

namespace transom {

class Schema;

// Where descriptors come from. google/api, google/rpc and google/protobuf are built in and need not be there.
struct SchemaSource {
  enum class Kind { DescriptorSetFile, DescriptorSet, ProtoFile };

  // A file that holds a serialized google.protobuf.FileDescriptorSet (`protoc --include_imports --descriptor_set_out`).
  static SchemaSource descriptor_set_file(std::string path) {
    return {Kind::DescriptorSetFile, std::move(path), {}, {}};
  }
  // The same, already read. name stands for it in failures.
  static SchemaSource descriptor_set(std::string bytes, std::string name) {
    return {Kind::DescriptorSet, std::move(name), std::move(bytes), {}};
  }
  // A .proto file, relative to the working directory or to one of the folders in which its imports are looked for.
  static SchemaSource proto_file(std::string path, std::vector<std::string> import_paths = {}) {
    return {Kind::ProtoFile, std::move(path), {}, std::move(import_paths)};
  }

  Kind kind = Kind::DescriptorSetFile;
  std::string path;  // or the name, of bytes that are already read
  std::string bytes;
  std::vector<std::string> import_paths;
};

class ServiceSchema {
 public:
  // Full names, as "package.Service" and "package.Message", in no order.
  std::vector<std::string> services() const;
  bool has_service(std::string_view full_name) const;
  bool has_message(std::string_view full_name) const;

 private:
  friend class ServiceRouter;
  friend class Transcoder;
  friend Expected<ServiceSchema> load_schema(const std::vector<SchemaSource>& sources);

  explicit ServiceSchema(std::shared_ptr<const Schema> held) : held_(std::move(held)) {}

  std::shared_ptr<const Schema> held_;
};

// All sources together. Fails with code 3 and names file and source: what cannot be read or parsed, a missing import,
// an unknown type, a file written in an edition (proto2 and proto3 are supported), two files of one name that differ.
Expected<ServiceSchema> load_schema(const std::vector<SchemaSource>& sources);

}  // namespace transom
