// An Exchange is one request of a client and its answer, whatever the HTTP version. A Session makes it, owns it and
// ends it; its ExchangeHandler (proxy::Relay) is owned by the Exchange. One thread. No handler callback runs inside a
// call to send_head, send, consume, finish or abort.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/fields.h"
#include "base/status.h"
#include "net/loop.h"

namespace transom {

enum class HttpVersion : uint8_t { Http1, Http2 };

struct RequestHead {
  HttpVersion version = HttpVersion::Http1;
  std::string method;
  std::string target;           // origin form, raw: path and query ("/v1/a%2Fb?x=1"); "*" for OPTIONS *
  std::string authority;        // Host or :authority, checked
  std::string scheme;           // "http" or "https"
  Fields fields;                // all but pseudo-fields; HTTP/2 cookies joined (RFC 9113 section 8.2.3)
  int64_t content_length = -1;  // -1: unknown
  bool has_body = false;
  std::string peer;  // transport's peer, or PROXY protocol's source: "10.0.0.1:5000"
  bool is_tls = false;
  bool is_web_socket = false;   // asks for one: GET with Upgrade, or CONNECT by RFC 8441; its body is messages in pieces
};

struct ResponseHead {
  uint16_t status = 200;        // of a WebSocket 101 or 2xx opens it, and the version's own is sent
  Fields fields;                // without content-length, transfer-encoding, connection, date
  int64_t content_length = -1;  // -1: chunked or by frames
};

class ExchangeHandler {
 public:
  virtual ~ExchangeHandler() = default;
  // The view dies on return. The bytes stay charged against the exchange's window until consume()d.
  virtual void on_request_bytes(std::string_view bytes) = 0;
  virtual void on_request_end(const Fields& trailers) = 0;
  // buffered() fell below the low mark after it was above the high one.
  virtual void on_send_ready() = 0;
  // The x-request-id of an answer that the session makes in the handler's place.
  virtual std::string request_id() const = 0;
  // Once, last. Ok: the whole answer was handed to the kernel. CANCELLED: the client went (reset, closed, timed out
  // writing); DEADLINE_EXCEEDED (408): it was too slow with its body; INVALID_ARGUMENT or RESOURCE_EXHAUSTED: its body
  // broke the framing or a bound, with the HTTP status that the session answers if the handler had not begun to.
  // ABORTED: the handler's own abort(). The exchange is buried after this call.
  virtual void on_exchange_end(const Status& status) = 0;
};

class Exchange {
 public:
  virtual ~Exchange() = default;
  virtual const RequestHead& head() const = 0;
  virtual Loop& loop() = 0;

  // Opens the window (HTTP/2) or the read (HTTP/1.1) by that many bytes of the request's body.
  virtual void consume(size_t bytes) = 0;

  // From now on the client may pause as long as it likes within its body: the handler watches that itself.
  virtual void lift_body_timeout() = 0;

  // Once, before send(). A HEAD request's body is dropped by the exchange. 1xx are sent by the session itself.
  virtual void send_head(const ResponseHead& head) = 0;
  // Returns buffered(). Bytes leave in the loop's flush.
  virtual size_t send(std::string&& bytes) = 0;
  // Ends the answer; trailers are sent where the version can carry them, else dropped. Whether the client wants them is
  // the caller's to know: accepts_trailers().
  // A request body not yet read to its end is then drained within bounds, or the session ends.
  virtual void finish(const Fields& trailers) = 0;
  // Cuts the answer after the bytes already sent have left: HTTP/1.1 closes without the last chunk, HTTP/2 resets with
  // that error code (RFC 9113 section 7; 2 is INTERNAL_ERROR, 8 CANCEL).
  virtual void abort(uint32_t h2_error) = 0;
  // Answer bytes not yet handed to the kernel.
  virtual size_t buffered() const = 0;
  virtual uint64_t request_body_bytes() const = 0;
  virtual uint64_t response_body_bytes() const = 0;
  virtual bool accepts_trailers() const = 0;  // TE: trailers, and a version or coding that can carry them
};

// Gives each new Exchange its handler. Implemented by proxy.
class ExchangeAcceptor {
 public:
  // May call the exchange's send_head, send, finish at once.
  virtual std::unique_ptr<ExchangeHandler> on_exchange(Exchange& exchange) = 0;

 protected:
  ~ExchangeAcceptor() = default;
};

}  // namespace transom
