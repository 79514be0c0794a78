// What an HTTP rule says of a message: which part of it stands in the body. Made at load, read by the transcoder.
#pragma once

#include <cstdint>

#include "schema/binding.h"
#include "schema/plan.h"

namespace transom {

enum class BodyKind : uint8_t { None, Whole, Field };

struct RequestShape {
  const MessagePlan* message = nullptr;
  BodyKind body = BodyKind::None;
  FieldPath body_field;         // BodyKind::Field: one field of message
  const FieldPlan* mask = nullptr;  // PATCH of one field: the message's only FieldMask, for the body to fill
  std::vector<FieldPath> path_fields;  // bound by the path template; a body member that names one is ignored (strict: 400)
};

struct ResponseShape {
  const MessagePlan* message = nullptr;
  const FieldPlan* body_field = nullptr;  // response_body; nullptr: the whole message
};

}  // namespace transom
