// A Call is one RPC to one replica, in gRPC's framing: bytes in and out are length-prefixed messages (5-byte prefix and
// payload, the gRPC HTTP/2 protocol), never parsed here. Destroying a Call cancels it. No handler callback runs inside
// start, send or consume. Implementations: ChannelCall (one HTTP/2 stream), RetryingCall (another replica after a
// refused one).
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/call_end.h"
#include "base/fields.h"
#include "net/loop.h"

namespace transom {

struct CallHead {
  std::string path;       // "/package.Service/Method"
  std::string authority;  // "" : the replica's address
  std::string content_type = "application/grpc";
  Fields metadata;                        // checked by the caller: no reserved names, -bin values re-encoded
  TimePoint deadline = TimePoint::max();  // sent as grpc-timeout; enforced here: CANCEL, and on_call_end with code 4
  bool is_idempotent = false;
};

class CallHandler {
 public:
  // Initial metadata as it came, :status and content-type checked and taken out; grpc-encoding and the like kept.
  // Not called for a trailers-only answer.
  virtual void on_call_head(const Fields& fields) = 0;
  // The view dies on return; the bytes hold the stream's window until consume()d.
  virtual void on_call_bytes(std::string_view bytes) = 0;
  // send()'s buffer fell below the low mark after it was above the high one.
  virtual void on_call_send_ready() = 0;
  // Once, last.
  virtual void on_call_end(const CallEnd& end) = 0;

 protected:
  ~CallHandler() = default;
};

class Call {
 public:
  virtual ~Call() = default;
  // Returns the bytes not yet handed to the kernel. end: no more will come (half-close).
  virtual size_t send(std::string&& bytes, bool end) = 0;
  virtual void consume(size_t bytes) = 0;
  virtual size_t buffered() const = 0;
  // Address of the replica now tried, as configured; "" while waiting for one.
  virtual const std::string& replica() const = 0;
  // When its first byte was handed over for that replica; TimePoint::max() before.
  virtual TimePoint left_at() const = 0;
};

}  // namespace transom
