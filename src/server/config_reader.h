// Reads YAML text into a protobuf message along the message's descriptor and the rules of
// proto/transom/config/v1/options.proto: unknown and duplicate keys, wrong types, values out of range and missing keys
// are told with their places, all of them. Presets are filled in. Used at load, on one thread.
#pragma once

#include <google/protobuf/message.h>

#include <filesystem>
#include <string>

#include "server/config_report.h"

namespace transom {

// Relative paths in the text are made to start from folder. What could be read is in message even when there are
// errors.
void read_config(const std::string& yaml, const std::filesystem::path& folder, google::protobuf::Message& message,
                 ConfigReport& report);

// How an enum's value is written: POLICY_ROUND_ROBIN of Policy is "round_robin".
std::string enum_word(const google::protobuf::EnumValueDescriptor& value);

}  // namespace transom
