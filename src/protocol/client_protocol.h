// A ClientProtocol is one way a client speaks (JSON, NDJSON, SSE, array, gRPC): client bytes <-> gRPC messages. Pure: it
// does no I/O and knows neither HTTP nor channels. A Relay owns one per request and feeds it from both sides. Work that
// may be long is handed out as a Conversion, so that the Relay can run it here or on the offload pool.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/call_end.h"
#include "base/fields.h"
#include "base/status.h"

namespace transom {

// One message's work, self-contained: owns its input, its bindings and a share of the schema. Run once, on any thread.
class Conversion {
 public:
  virtual ~Conversion() = default;
  virtual size_t input_bytes() const = 0;
  // Appends the output (a framed gRPC message, or the client's bytes with their framing).
  virtual Status run(std::string& out, const std::atomic<bool>* cancelled) = 0;
};

// Head of the answer as the protocol wants it; the Relay adds x-request-id and the replica's metadata.
struct AnswerHead {
  uint16_t status = 200;
  std::string content_type;
};

// How the answer ends.
struct AnswerEnd {
  std::optional<AnswerHead> head;  // set when no head was sent yet
  std::string bytes;               // the last ones: an error body, `]`, an in-band error
  bool abort = false;              // cut after the bytes: HTTP/1.1 without its last chunk, HTTP/2 INTERNAL_ERROR
  bool trailers_as_headers = false;  // unary: trailing metadata goes with the head
  Status status;                   // what metrics and the access log say; HTTP status by http_status_of
};

class ClientProtocol {
 public:
  virtual ~ClientProtocol() = default;

  // --- client -> replica
  // Takes body bytes; an error refuses the request (413, 400). end may come with the last bytes or alone.
  virtual Status on_request_bytes(std::string_view bytes) = 0;
  virtual Status on_request_end() = 0;
  // The next message that is complete, or null. After the last one is_request_done() is true and the call is half-closed.
  virtual std::unique_ptr<Conversion> next_request() = 0;
  virtual bool is_request_done() const = 0;
  // Bytes held from the client that no Conversion has taken yet (what must not be consumed yet, beyond a window).
  virtual size_t held_request_bytes() const = 0;

  // --- replica -> client
  // grpc-encoding and content-type of the replica's head.
  virtual Status on_call_head(const Fields& fields) = 0;
  virtual Status on_call_bytes(std::string_view bytes) = 0;
  // The next complete message of the replica, as work towards client bytes, or null.
  virtual std::unique_ptr<Conversion> next_response() = 0;
  // When the head must leave before the end is known (streams: with the first message); nullopt while it may wait.
  virtual std::optional<AnswerHead> answer_head() = 0;
  virtual size_t held_response_bytes() const = 0;
  // The call ended and every next_response() was drained; or the proxy itself failed the request (end.status.fault Proxy or Client).
  virtual AnswerEnd on_call_end(const CallEnd& end) = 0;
};

}  // namespace transom
