// Turns the text of one scalar into one field of a message, by the field's type and its rule (form and bounds).
#pragma once

#include <google/protobuf/message.h>

#include <filesystem>
#include <string>

#include "base/status.h"

namespace transom {

// Sets the field, or adds to it when it is repeated. Not for messages and maps. A failure's message says what was
// expected and what was found.
Status set_scalar(google::protobuf::Message& message, const google::protobuf::FieldDescriptor& field,
                  const std::string& text, const std::filesystem::path& folder);

}  // namespace transom
