// A Status as the trailers of the gRPC HTTP/2 protocol, for clients that speak gRPC themselves. Pure.
#pragma once

#include <string>
#include <string_view>

#include "base/fields.h"
#include "base/status.h"

namespace transom {

// The percent-encoding of grpc-message: all but printable ASCII, and '%' itself.
std::string encode_grpc_message(std::string_view text);

// Adds grpc-status, and grpc-message and grpc-status-details-bin where there is something to say.
void add_grpc_status(const Status& status, Fields& fields);

}  // namespace transom
