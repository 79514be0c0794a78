// Schemas made at random from a fuzzer's bytes: one proto2 or proto3 file with enums and messages of every kind of field
// that protobuf's own JSON code knows, maps, oneofs, presence, packing, custom JSON names and well-known types.
#pragma once

#include <string>

#include "transcode/oracle.h"

namespace transom {

// A serialized FileDescriptorSet; its first message is fuzz.M0.
std::string random_descriptor_set(RandomBits& random);

}  // namespace transom
