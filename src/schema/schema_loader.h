// SchemaLoader collects descriptor files from any number of sources and compiles them into one immutable Schema.
// Used on the control thread (or at start); may read files. google/api, google/rpc and google/protobuf are built in.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "schema/schema.h"

namespace transom {

class SchemaLoader {
 public:
  SchemaLoader();
  ~SchemaLoader();

  // Each names its source in errors ("a.pb", "reflection of 10.0.0.1:50051"). A file that is already there with the same
  // content is fine; with other content it is an error that names both sources.
  Status add_descriptor_set_file(const std::string& path);
  Status add_descriptor_set(std::string_view bytes, const std::string& source);  // a serialized FileDescriptorSet
  // A serialized FileDescriptorProto, as reflection gives them.
  Status add_file_descriptor(std::string_view bytes, const std::string& source);
  Status add_proto_file(const std::string& path, const std::vector<std::string>& import_paths);

  // Missing imports, unresolved types, editions, and clashes are errors that name file and source. The loader is spent.
  Result<SchemaPtr> load();

  // Everything collected, as one serialized FileDescriptorSet (for the last good copy on disk).
  std::string descriptor_set() const;

 private:
  struct Files;
  std::unique_ptr<Files> files_;
};

// google/protobuf, google/rpc and google/api alone; made once, on first use.
SchemaPtr builtin_schema();

}  // namespace transom
