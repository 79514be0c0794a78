// The text form of one path of google.protobuf.FieldMask: camelCase in JSON, snake_case in the message.
// Both append, and return false for what would not come back the same. Free functions, pure.
#pragma once

#include <string>
#include <string_view>

namespace transom {

bool append_mask_path_from_json(std::string_view camel, std::string& out);
bool append_mask_path_to_json(std::string_view snake, std::string& out);

}  // namespace transom
