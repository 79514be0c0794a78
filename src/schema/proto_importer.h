// Parses .proto files with protobuf's own parser. Imports are looked for in the given folders, then among the built-in
// files; google/protobuf always comes from the latter. Reads files, so it belongs to the control thread.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"

namespace google::protobuf {
class FileDescriptorProto;
}

namespace transom {

// Appends the file and all that it imports. Errors read "protos/predictor.proto:7:3: what is wrong". The path may be
// relative to the working directory or to an import path; without import paths its own folder is one.
Status import_proto_file(const std::string& path, const std::vector<std::string>& import_paths,
                         std::vector<google::protobuf::FileDescriptorProto>& files);

}  // namespace transom
