// The descriptor files that every Schema may import without bringing them: google/protobuf, google/rpc and google/api.
// The bytes are made by protoc at build time from proto/ and protobuf's own files (src/schema/meson.build).
#pragma once

#include <string_view>

namespace transom {

// A serialized google.protobuf.FileDescriptorSet, imports before those who import them.
std::string_view builtin_descriptor_set();

}  // namespace transom
