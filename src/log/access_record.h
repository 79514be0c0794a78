// An AccessRecord is what the access log says of one request: filled by proxy when the request has ended, written at
// once, so that its views need to live only that long.
#pragma once

#include <chrono>
#include <cstdint>
#include <string_view>

namespace transom {

struct AccessRecord {
  std::chrono::system_clock::time_point time;  // when the request's head was complete
  std::string_view request_id;
  std::string_view client;  // the client's address, by the rules of `forwarded`
  std::string_view method;
  std::string_view target;  // as it came: path and query
  std::string_view host;
  std::string_view route;  // as in the metrics
  std::string_view rpc;
  std::string_view protocol;
  std::string_view backend;
  std::string_view replica;  // the last one tried, "" when none was
  int64_t http_status = 0;
  int64_t grpc_status = 0;
  std::string_view error;  // the message of an answer that is an error
  int64_t bytes_in = 0;    // of the bodies, without heads and framing
  int64_t bytes_out = 0;
  std::string_view request_content_type;
  std::string_view response_content_type;
  std::string_view tolerated;  // what strictness let pass and reports: "unknown_field,bound_field"
  std::chrono::nanoseconds duration{0};          // from the head to the last byte of the answer
  std::chrono::nanoseconds waiting{0};           // for a replica, a channel or the memory budget
  std::chrono::nanoseconds replica_duration{0};  // from the call's start to its end
};

}  // namespace transom
