// Says whether two copies of a descriptor file mean the same, and whether one holds all that the other defines.
#pragma once

#include <string>

namespace google::protobuf {
class FileDescriptorProto;
}

namespace transom {

// Takes out what does not change the meaning: comments, options for generated code, JSON names that are the derived
// ones.
void normalize_file(google::protobuf::FileDescriptorProto& file);

// The first thing of `smaller` that `larger` does not define alike ("field google.api.HttpRule.body"), "" if it has
// all.
std::string find_lacking(const google::protobuf::FileDescriptorProto& larger,
                         const google::protobuf::FileDescriptorProto& smaller);

}  // namespace transom
