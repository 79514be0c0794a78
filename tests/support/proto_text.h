// Schemas for tests from .proto text, without files: what protoc would make of it.
#pragma once

#include <map>
#include <string>

#include "schema/schema.h"

namespace transom {

// A serialized FileDescriptorSet of the files (name to text) and their imports but the built-in ones. Ends the test
// program when they do not parse.
std::string descriptor_set_of(const std::map<std::string, std::string>& files);

// The schema of one file "test.proto" of that text.
SchemaPtr schema_of(const std::string& text);

}  // namespace transom
