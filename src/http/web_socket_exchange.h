// WebSocketExchange stands between the bytes of a request that became a WebSocket and whoever handles it: below, it is
// the handler of the session's own Exchange; above, an Exchange whose bodies are messages in pieces
// (base/message_piece.h). It answers the handshake, pings, and closes. The inner exchange owns it, it owns its handler.
// It ends with the inner one; its handler hears the end earlier when the client closes first. One thread.
//
// For its handler: send_head() with 101 or 2xx opens the WebSocket, any other status is a plain answer. send() takes
// whole messages. finish() closes, with the code and the reason among the fields.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>

#include "base/limits.h"
#include "http/deadline.h"
#include "http/exchange.h"
#include "http/web_socket_codec.h"

namespace transom {

class WebSocketExchange;

// The WebSockets of one worker's listener that are open. Outlives its sessions. One thread.
class OpenWebSockets {
 public:
  void add(WebSocketExchange& exchange) { open_.insert(&exchange); }
  void remove(WebSocketExchange& exchange) { open_.erase(&exchange); }
  // Each is told 1001 and its call ended; the frames leave in the loop's flush.
  void close_all();

 private:
  std::unordered_set<WebSocketExchange*> open_;
};

// What its sessions say; all of it outlives them.
struct WebSocketTerms {
  const SessionLimits& limits;
  size_t window;  // the inner exchange tells that there is room when it has had more buffered than that
  OpenWebSockets& open;
};

class WebSocketExchange final : public Exchange, public ExchangeHandler {
 public:
  // As the handler of a request for a WebSocket.
  static std::unique_ptr<ExchangeHandler> begin(Exchange& inner, ExchangeAcceptor& acceptor,
                                                const WebSocketTerms& terms);
  WebSocketExchange(Exchange& inner, const WebSocketTerms& terms);

  // The proxy ends: closes with 1001, if it is open.
  void go_away();

  const RequestHead& head() const override { return inner_.head(); }
  Loop& loop() override { return inner_.loop(); }
  void consume(size_t bytes) override;
  void lift_body_timeout() override {}  // the inner one's was, when it began
  void send_head(const ResponseHead& head) override;
  size_t send(std::string&& bytes) override;
  void finish(const Fields& trailers) override;
  void abort(uint32_t h2_error) override;
  size_t buffered() const override { return inner_.buffered(); }
  uint64_t request_body_bytes() const override { return inner_.request_body_bytes(); }
  uint64_t response_body_bytes() const override { return inner_.response_body_bytes(); }
  bool accepts_trailers() const override { return false; }

  void on_request_bytes(std::string_view bytes) override;
  void on_request_end(const Fields& trailers) override;
  void on_send_ready() override;
  std::string request_id() const override;
  void on_exchange_end(const Status& status) override;

 private:
  enum class Phase : uint8_t {
    Handshake,
    Refused,  // answered like any request
    Open,
    Closing,  // our close is on its way, the client's is awaited
    Ended,    // nothing more is said or heard
  };

  void on_client_end(const Status& status);
  void close(uint16_t code, std::string_view reason);
  void end(const Status& status);
  void settle();
  void watch();
  void on_deadline();
  void look_at_silence(TimePoint now);
  // All that was said has left and all that came was taken: silence means that the other side is silent.
  bool is_settled() const { return owed_raw_ == 0 && inner_.buffered() == 0; }

  Exchange& inner_;
  const WebSocketTerms terms_;
  std::unique_ptr<ExchangeHandler> handler_;
  WebSocketCodec codec_;
  Deadline deadline_;
  Phase phase_ = Phase::Handshake;
  size_t owed_pieces_ = 0;  // given to the handler and not yet consumed
  size_t owed_raw_ = 0;     // the bytes that they came in
  bool withholds_ = false;  // what came is not consumed: our answers to pings are not read
  TimePoint moved_{};       // the last bytes of either side
  TimePoint asked_{};       // our last ping
  TimePoint closed_{};      // our close, when the handler has finished
};

}  // namespace transom
