// Puts descriptor files in an order in which each comes after what it imports, as a pool wants them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/status.h"

namespace google::protobuf {
class FileDescriptorProto;
}

namespace transom {

// A descriptor file and where it came from, for errors.
struct SourcedFile {
  const google::protobuf::FileDescriptorProto* proto = nullptr;
  std::string source;
};

// "a.proto (from predictor.pb)"
std::string described(const SourcedFile& file);

// By file name. A missing import is an error that names the file that wants it; so is a ring of imports.
Result<std::vector<const SourcedFile*>> order_files(const std::map<std::string, SourcedFile>& files);

}  // namespace transom
