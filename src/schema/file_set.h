// FileSet holds the descriptor files of one load, each with the source that it came from, over the built-in ones. It
// settles which copy of a file holds, puts them in order and builds them into a pool. Control thread only.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "schema/file_order.h"

namespace google::protobuf {
class DescriptorPool;
class FileDescriptor;
class FileDescriptorProto;
}  // namespace google::protobuf

namespace transom {

class FileSet {
 public:
  FileSet();
  ~FileSet();

  // The same file again is fine, whatever its comments and its options for generated code. Of a built-in file the
  // richer copy holds. Other content under one name is an error that names both sources.
  Status add(const google::protobuf::FileDescriptorProto& file, const std::string& source);

  // Builds all files into an empty pool, each after its imports; likewise those built-in ones that they leave room for
  // (a copy of google/rpc/status.proto under another name shuts the built-in one out, unless something imports it).
  Result<std::vector<const google::protobuf::FileDescriptor*>> build(google::protobuf::DescriptorPool& pool) const;

  // Of what was added, in the order of the names; comments do not count.
  std::string digest() const;
  // What was added, as a serialized FileDescriptorSet.
  std::string serialized() const;

 private:
  struct Added {
    std::unique_ptr<google::protobuf::FileDescriptorProto> proto;  // normalized
    std::string source;
  };

  std::map<std::string, SourcedFile> with_builtin_files() const;

  std::map<std::string, Added> added_;
};

}  // namespace transom
