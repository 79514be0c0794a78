// The descriptor files of the services that the proxy answers itself, made by protoc at build time from proto/grpc
// (src/local/meson.build).
#pragma once

#include <string_view>

namespace transom {

// A serialized google.protobuf.FileDescriptorSet, imports before those who import them.
std::string_view local_descriptor_set();

}  // namespace transom
