// CallEnd is how a call to a replica ended: the last thing a CallHandler hears.
#pragma once

#include <cstdint>
#include <string>

#include "base/fields.h"
#include "base/status.h"

namespace transom {

// Whether the replica can have seen the call. Only No and Refused are safe to retry without the service's word.
enum class Sent : uint8_t {
  No,       // never left this process
  Refused,  // REFUSED_STREAM, or a GOAWAY whose last stream is below it (RFC 9113 section 8.7)
  Maybe,
};

struct CallEnd {
  Status status;         // from the trailers, or made up for a call that broke; fault says whose
  Fields trailers;       // as they came, grpc-status, grpc-message and grpc-status-details-bin taken out
  Sent sent = Sent::Maybe;
  bool trailers_only = false;  // the one HEADERS frame carried the status
  std::string replica;         // address as configured, "" when none was picked
  int foreign_status = 0;      // the HTTP status of an answer that was not gRPC's; 0 of others
};

}  // namespace transom
