// A ClientProtocol is one way a client speaks (JSON, NDJSON, SSE, array, gRPC): client bytes <-> gRPC messages. Pure: it
// does no I/O and knows neither HTTP nor channels. A Relay owns one per request and feeds it from both sides. Work that
// may be long is handed out as a Conversion, so that the Relay can run it here or on the offload pool; conversions of one
// direction are run one after the other, in order.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/call_end.h"
#include "base/fields.h"
#include "base/status.h"
#include "base/strictness.h"
#include "protocol/conversion.h"
#include "protocol/error_body.h"

namespace transom {

// What the request's head says of its body. Views live as long as the request.
struct BodyHead {
  std::optional<std::string_view> content_type;
  std::string_view content_encoding;
  int64_t content_length = -1;  // -1: unknown
  const Fields* fields = nullptr;  // all of it; null: none
};

// Head of the answer as the protocol wants it; the Relay adds x-request-id and the replica's metadata.
struct AnswerHead {
  uint16_t status = 200;
  std::string_view content_type;  // lives as long as the protocol and the request
  const Fields* fields = nullptr;  // of its own, likewise; null: none
};

// How the answer ends.
struct AnswerEnd {
  std::optional<AnswerHead> head;  // of an answer whose head has not left yet
  std::string bytes;               // the last ones: an error body, `]`, an in-band error
  Fields fields;                   // the protocol's own trailers (grpc-status ...)
  bool trailers_in_head = false;   // those and the replica's trailing metadata go with the head
  bool abort = false;              // cut after the bytes: HTTP/1.1 without its last chunk, HTTP/2 INTERNAL_ERROR
  bool has_length = true;          // an answer that is all here says its content-length
  Status status;                   // what metrics and the access log say
};

class ClientProtocol {
 public:
  virtual ~ClientProtocol() = default;

  // Client to replica. Errors refuse the request (400, 413, 415).
  virtual Status on_body_head(const BodyHead& head) = 0;
  virtual Status on_request_bytes(std::string_view bytes) = 0;
  virtual Status on_request_end() = 0;
  // The next message that is complete, or nothing.
  virtual std::optional<Conversion> next_request() = 0;
  // No message will come any more: the call is half-closed with or after the last one.
  virtual bool is_request_done() const = 0;
  // The call begins with the request's head, not with its first message.
  virtual bool begins_with_head() const = 0;
  // Bytes from the client that no Conversion has taken yet.
  virtual size_t held_request_bytes() const = 0;
  // What of the request's head and body, conversions aside, was let pass and is to be reported.
  virtual SlipSet slips() const = 0;

  // Replica to client. Errors end the call.
  virtual Status on_call_head(const Fields& fields) = 0;
  virtual Status on_call_bytes(std::string_view bytes) = 0;
  // The next complete message of the replica, as work towards client bytes, or nothing.
  virtual std::optional<Conversion> next_response() = 0;
  // Told of each of them that ran well, before its output leaves.
  virtual void on_response_converted(const Conversion& conversion) = 0;
  // The head that must leave before the end is known, asked for after on_call_head and after each conversion; nothing
  // while it may wait. What was converted meanwhile then waits with it.
  virtual std::optional<AnswerHead> answer_head() = 0;
  // Bytes that mean nothing and keep an idle answer alive; "" where there are none.
  virtual std::string_view keep_alive() const { return {}; }
  virtual size_t held_response_bytes() const = 0;
  // The call ended and every next_response() has run; or the proxy itself failed the request.
  // is_head_sent: whether the head has left.
  virtual AnswerEnd on_call_end(const CallEnd& end, bool is_head_sent) = 0;
};

// The answer to a request that fails before its answer has begun. content_type: the request's; it outlives the answer.
AnswerEnd json_failure(const Status& status, ErrorForm form, const Schema* schema, const JsonOptions& options);
AnswerEnd grpc_failure(const Status& status, std::string_view content_type);

}  // namespace transom
