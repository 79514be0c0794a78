// The messages of grpc.reflection.v1 and v1alpha, which are alike, as bytes. They are read and written by field numbers
// rather than by generated classes: protobuf ends a process in which two libraries bring the same generated file.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"

namespace transom {

enum class ReflectionQuery { FileByName, FileContainingSymbol, ListServices };

// A serialized ServerReflectionRequest.
std::string encode_reflection_request(ReflectionQuery query, const std::string& argument);

struct ReflectionAnswer {
  std::vector<std::string> files;     // serialized FileDescriptorProtos
  std::vector<std::string> services;  // names
  Status refusal;                     // the answer's error_response, the replica's fault; ok() when there is none
};

// A serialized ServerReflectionResponse.
Result<ReflectionAnswer> parse_reflection_response(const std::string& bytes);

// What a serialized FileDescriptorProto calls itself, and what it imports.
struct FileHead {
  std::string name;
  std::vector<std::string> imports;
};
Result<FileHead> parse_file_head(const std::string& file);

}  // namespace transom
