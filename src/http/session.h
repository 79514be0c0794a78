// A Session serves one client transport: it finds out which HTTP version is spoken (ALPN, the HTTP/2 preface, h2c
// upgrade of a body-less request), parses within SessionLimits, and makes an Exchange per request. Owned by the
// worker's SessionSet; ends itself through it. One thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/limits.h"
#include "base/memory_account.h"
#include "http/exchange.h"
#include "net/transport.h"

namespace transom {

// A request that the session answered by itself (400, 408, 431 ...), or reset, before it was an Exchange.
struct RefusedRequest {
  HttpVersion version;
  uint16_t http_status;
  std::string_view reason;
  std::string_view request_id;  // that of the answer
  std::string_view peer;        // of the transport
  const RequestHead& head;      // as far as it was read: the method may be ""
};

// What never becomes an Exchange.
class HttpObserver {
 public:
  virtual void on_refused(const RefusedRequest& request) = 0;
  virtual void on_session_open() = 0;
  virtual void on_session_end() = 0;

 protected:
  ~HttpObserver() = default;
};

struct ErrorBody {
  std::string bytes;
  std::string_view content_type = "application/json";  // a literal
};

struct SessionOptions {
  SessionLimits limits;
  size_t exchange_window = 64 * kKiB;
  MemoryAccount* account = nullptr;
  HttpObserver* observer = nullptr;  // may be null
  // Makes the body of an error that the session itself answers, from status and message.
  std::function<ErrorBody(const Status& status)> error_body;
  // The x-request-id of such an error, from what was read of the request's fields; empty: none is sent.
  std::function<std::string(const Fields& fields)> error_id;
  // Adds what else goes with such an error's head; may be empty.
  std::function<void(const Fields& request, Fields& answer)> error_fields;
};

// All sessions of one worker.
class SessionSet {
 public:
  static std::unique_ptr<SessionSet> make(Loop& loop, const SessionOptions& options, ExchangeAcceptor& acceptor);
  virtual ~SessionSet() = default;  // ends all sessions at once
  virtual void add(std::unique_ptr<Transport> transport) = 0;
  // GOAWAY to HTTP/2, Connection: close on the next HTTP/1.1 answer, idle sessions end; open exchanges go on.
  virtual void drain() = 0;
  // Open WebSockets are closed with 1001, for sessions that are about to be cut: who drains waits for them no longer.
  virtual void close_web_sockets() = 0;
  virtual size_t open_sessions() const = 0;
  virtual size_t open_exchanges() const = 0;
  // Sessions and bodies pause reading (memory is tight) or go on.
  virtual void pause_bodies(bool paused) = 0;
};

}  // namespace transom
