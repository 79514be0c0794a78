// The grpc-timeout value of the gRPC HTTP/2 protocol: 1 to 8 digits and one unit of H M S m u n.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "base/status.h"

namespace transom {

// INVALID_ARGUMENT for anything else; a value too long for the clock is cut to about 292 years.
Result<std::chrono::nanoseconds> parse_grpc_timeout(std::string_view text);

// The shortest form that loses no more than one part in 10^5 and never rounds up; 0 or less gives "0n".
std::string format_grpc_timeout(std::chrono::nanoseconds timeout);

}  // namespace transom
