// When a request must be answered: the earliest of what the client asks for and what the backend allows.
#pragma once

#include <chrono>

#include "base/fields.h"
#include "base/status.h"
#include "net/loop.h"

namespace transom {

// By grpc-timeout and x-request-timeout-seconds (a decimal number) and timeout (0: none), counted from arrived;
// TimePoint::max() for no deadline. INVALID_ARGUMENT for a malformed one.
Result<TimePoint> find_deadline(const Fields& fields, std::chrono::nanoseconds timeout, TimePoint arrived);

}  // namespace transom
