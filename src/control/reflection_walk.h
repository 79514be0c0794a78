// Decides what to ask a replica's reflection, question by question, until every file of its services is there. Pure:
// the asking is the caller's.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/limits.h"
#include "base/status.h"
#include "control/reflection_messages.h"

namespace transom {

using AskReflection = std::function<Result<ReflectionAnswer>(ReflectionQuery query, const std::string& argument)>;

// Serialized FileDescriptorProtos, one per name, of all services but gRPC's own (a replica may list its health service
// without knowing its file). A service whose file cannot be had is an error; a missing import is left to SchemaLoader,
// which has the well-known files itself.
Result<std::vector<std::string>> walk_reflection(const AskReflection& ask, const ReflectionLimits& limits);

}  // namespace transom
