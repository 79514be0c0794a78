// RequestRecord is what metrics and access log need to know of one request. A Relay fills it when the request has ended
// and hands it to the RequestObserver; its views and pointers live only as long as that call.
#pragma once

#include <chrono>
#include <cstdint>
#include <string_view>

#include "base/status.h"
#include "base/strictness.h"
#include "http/exchange.h"
#include "metrics/worker_metrics.h"
#include "route/route.h"

namespace transom {

struct RequestRecord {
  const RequestHead* head = nullptr;   // never null
  const Route* route = nullptr;        // null when none was found
  std::string_view route_label;        // "" when nothing matched; of a 405 the template
  std::string_view rpc;                // package.Service/Method, "" where the schema does not know it
  std::string_view request_id;
  std::string_view client;             // the client's address
  ProtocolLabel protocol = ProtocolLabel::Http1;
  std::string_view backend;
  std::string_view replica;            // "" when none was tried
  uint16_t http_status = 0;            // 499 for a client that went
  int32_t grpc_status = 0;             // the one in the trailers or in the error's body
  std::string_view error;              // the message of an answer that is an error
  uint64_t bytes_in = 0;               // of the bodies
  uint64_t bytes_out = 0;
  std::string_view request_content_type;
  std::string_view response_content_type;
  SlipSet slips;                       // let pass and to be reported
  std::chrono::nanoseconds duration{0};          // from the head to the last byte of the answer
  std::chrono::nanoseconds waiting{0};           // for a replica, a channel or the memory budget
  std::chrono::nanoseconds replica_duration{0};  // from the call's start to its end
};

// Called on the worker's thread.
class RequestObserver {
 public:
  // A request's route is known; its on_request_end comes with that route.
  virtual void on_request_begin(const RequestHead& head, const Route& route) = 0;
  virtual void on_request_end(const RequestRecord& record) = 0;
  // backend: "" when it was shed before one was known. reason: "memory", "offload"; "queue" is the backend's to tell.
  virtual void on_shed(std::string_view backend, std::string_view reason) = 0;

 protected:
  ~RequestObserver() = default;
};

}  // namespace transom
