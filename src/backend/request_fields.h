// The header fields of a gRPC request (the gRPC HTTP/2 protocol, "Requests").
#pragma once

#include <string_view>
#include <vector>

#include "backend/call.h"
#include "base/fields.h"

namespace transom {

struct RequestDefaults {
  std::string_view authority;  // of the replica
  std::string_view user_agent;
  std::string_view timeout;  // a grpc-timeout, "" for none
};

// Appends views of `head` and `defaults`. A user-agent among the metadata replaces ours.
void list_request_fields(const CallHead& head, const RequestDefaults& defaults, std::vector<Field>& out);

}  // namespace transom
