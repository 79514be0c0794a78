// What the sessions of one worker share, and how they and their set see each other. A SessionRoom is owned by the
// SessionSet and outlives its sessions. One thread.
#pragma once

#include <memory>
#include <string>

#include "http/date_text.h"
#include "http/exchange.h"
#include "http/session.h"
#include "http/web_socket_exchange.h"
#include "http/web_socket_handshake.h"
#include "net/loop.h"

namespace transom {

class Session {
 public:
  virtual ~Session() = default;
  // No new requests after those already begun; ends by itself once they are answered.
  virtual void drain() = 0;
  virtual void pause_bodies(bool paused) = 0;
  // Ends at once: open exchanges hear CANCELLED. The session may only be destroyed afterwards.
  virtual void close() = 0;
};

class SessionOwner {
 public:
  // Takes it out of the set and buries it; the session does nothing more.
  virtual void end(Session& session) = 0;
  // Puts another in its place (a protocol switch) and buries it.
  virtual void replace(Session& session, std::unique_ptr<Session> next) = 0;

 protected:
  ~SessionOwner() = default;
};

struct SessionRoom {
  SessionRoom(Loop& loop_in, const SessionOptions& options_in, ExchangeAcceptor& acceptor_in, SessionOwner& owner_in)
      : loop(loop_in), options(options_in), acceptor(acceptor_in), owner(owner_in) {}

  Loop& loop;
  const SessionOptions options;
  ExchangeAcceptor& acceptor;
  SessionOwner& owner;
  DateText date;
  std::string scratch;  // what a flush gathers before its one write
  size_t open_exchanges = 0;
  bool bodies_paused = false;
  OpenWebSockets web_sockets;

  std::unique_ptr<ExchangeHandler> handler_of(Exchange& exchange) {
    return exchange.head().is_web_socket ? WebSocketExchange::begin(exchange, acceptor, {options.limits, options.exchange_window, web_sockets})
                                         : acceptor.on_exchange(exchange);
  }
  std::string error_id(const Fields& request) const {
    return options.error_id ? options.error_id(request) : std::string();
  }
  // The head and the body of an error that a session answers by itself. request: as far as its fields were read.
  ResponseHead error_head(const Status& status, const std::string& id, const Fields& request, std::string& body) const {
    ErrorBody made = options.error_body ? options.error_body(status) : ErrorBody();
    body = std::move(made.bytes);
    ResponseHead head;
    head.status = http_status_of(status);
    head.fields.add("content-type", made.content_type);
    if (head.status == 426) {
      // The one upgrade that is refused so (RFC 9110 section 15.5.22, RFC 6455 section 4.4).
      head.fields.add("upgrade", "websocket");
      head.fields.add("sec-websocket-version", kWebSocketVersion);
    }
    if (!id.empty()) {
      head.fields.add("x-request-id", id);
    }
    if (options.error_fields) {
      options.error_fields(request, head.fields);
    }
    head.content_length = static_cast<int64_t>(body.size());
    return head;
  }
  void tell_refused(const Status& status, const RequestHead& head, const std::string& peer,
                    const std::string& id) const {
    if (options.observer != nullptr) {
      options.observer->on_refused({head.version, http_status_of(status), status.message, id, peer, head});
    }
  }
};

}  // namespace transom
