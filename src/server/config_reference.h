// Writes the configuration's reference page (docs/configuration.md) from the comments and rules of config.proto. Not
// part of the program: the test that holds the page to the proto file runs it.
#pragma once

#include <string>

#include "base/status.h"

namespace transom {

// proto_root: the folder with transom/config/v1/config.proto; google/protobuf's own files are found beside it or in
// system_root.
Result<std::string> config_reference(const std::string& proto_root, const std::string& system_root);

}  // namespace transom
