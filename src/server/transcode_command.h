// What `transom transcode` does, without its input and output: one message of an RPC, JSON to wire format or back, by
// the same functions that serve requests. For people who debug a schema or a client. One thread, called once.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"

namespace transom {

struct TranscodeFlags {
  std::vector<std::string> schemas;       // descriptor sets, and .proto files by the end of their names
  std::vector<std::string> import_paths;  // for .proto files; none: the working directory
  std::string rpc;                        // "package.Service/Method"
  bool is_request = false;                // JSON -> the RPC's input; else the RPC's output -> JSON
  bool is_framed = false;                 // messages in wire format have gRPC's five bytes before each
};

// JSON comes with a line's end. Of framed answers each message is a line.
// INVALID_ARGUMENT says what is wrong and where: the member or field, what was expected, what was found, at which byte.
Result<std::string> transcode_input(const TranscodeFlags& flags, std::string input);

}  // namespace transom
