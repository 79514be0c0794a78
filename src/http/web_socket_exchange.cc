#include "http/web_socket_exchange.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/message_piece.h"
#include "http/web_socket_handshake.h"

namespace transom {
namespace {

constexpr uint32_t kH2ProtocolError = 1;  // RFC 9113 section 7
constexpr uint32_t kH2Cancel = 8;

Status client_gone(std::string reason) { return client_error(Code::Cancelled, std::move(reason)); }

uint16_t close_code_of(const Fields& trailers) {
  const std::string_view text = trailers.find(kCloseCodeField).value_or("");
  uint16_t code = kCloseNormal;
  std::from_chars(text.data(), text.data() + text.size(), code);
  return code;
}

std::string broken_text(uint16_t code) {
  return "the client broke the WebSocket protocol (close code " + std::to_string(code) + ")";
}

}  // namespace

std::unique_ptr<ExchangeHandler> WebSocketExchange::begin(Exchange& inner, ExchangeAcceptor& acceptor,
                                                          const WebSocketTerms& terms) {
  inner.lift_body_timeout();  // a WebSocket may be silent: pings find out whether its client is there
  auto made = std::make_unique<WebSocketExchange>(inner, terms);
  made->handler_ = acceptor.on_exchange(*made);
  return made;
}

WebSocketExchange::WebSocketExchange(Exchange& inner, const WebSocketTerms& terms)
    : inner_(inner), terms_(terms), deadline_(inner.loop(), [this] { on_deadline(); }) {}

void OpenWebSockets::close_all() {
  for (WebSocketExchange* exchange : std::exchange(open_, {})) {
    exchange->go_away();
  }
}

void WebSocketExchange::go_away() {
  if (phase_ == Phase::Open) {
    close(kCloseGoingAway, "the proxy ends");
    end(proxy_error(Code::Unavailable, "the proxy ended while the WebSocket was open"));
  }
}

std::string WebSocketExchange::request_id() const { return handler_ != nullptr ? handler_->request_id() : ""; }

void WebSocketExchange::send_head(const ResponseHead& head) {
  if (phase_ != Phase::Handshake) {
    return;
  }
  if (head.status != 101 && (head.status < 200 || head.status > 299)) {
    phase_ = Phase::Refused;
    inner_.send_head(head);
    return;
  }
  phase_ = Phase::Open;
  terms_.open.add(*this);
  inner_.send_head(web_socket_head(inner_.head(), head));
  moved_ = loop().now();
  watch();
}

size_t WebSocketExchange::send(std::string&& bytes) {
  if (phase_ == Phase::Refused) {
    return inner_.send(std::move(bytes));
  }
  if (phase_ != Phase::Open) {
    return inner_.buffered();
  }
  std::string frames;
  std::string_view left = bytes;
  frames.reserve(left.size() + kPiecePrefixBytes);
  for (MessagePiece message; take_piece(left, message);) {
    append_web_socket_message(message.is_binary, message.bytes, frames);
  }
  moved_ = loop().now();
  return inner_.send(std::move(frames));
}

void WebSocketExchange::finish(const Fields& trailers) {
  if (phase_ == Phase::Refused) {
    phase_ = Phase::Ended;
    inner_.finish(Fields{});
  } else if (phase_ == Phase::Open) {
    close(close_code_of(trailers), trailers.find(kCloseReasonField).value_or(""));
  }
}

void WebSocketExchange::abort(uint32_t h2_error) {
  if (phase_ != Phase::Ended) {
    phase_ = Phase::Ended;
    inner_.abort(h2_error);
  }
}

void WebSocketExchange::close(uint16_t code, std::string_view reason) {
  std::string frame;
  append_web_socket_close(code, reason, frame);
  inner_.send(std::move(frame));
  phase_ = Phase::Closing;
  closed_ = loop().now();
  // What the client still says is nobody's.
  owed_pieces_ = 0;
  withholds_ = false;
  settle();
  watch();
}

void WebSocketExchange::consume(size_t bytes) {
  bytes = std::min(bytes, owed_pieces_);
  owed_pieces_ -= bytes;
  if (owed_pieces_ > 0) {
    // Not in step with what the pieces came in, but never more.
    const size_t raw = std::min(bytes, owed_raw_);
    owed_raw_ -= raw;
    inner_.consume(raw);
    return;
  }
  settle();
}

// Nothing is owed to the handler: what came is consumed.
void WebSocketExchange::settle() {
  if (owed_pieces_ == 0 && owed_raw_ > 0 && !withholds_) {
    inner_.consume(std::exchange(owed_raw_, 0));
    moved_ = loop().now();
  }
}

void WebSocketExchange::on_request_bytes(std::string_view bytes) {
  if (phase_ == Phase::Handshake) {
    // It must wait for the answer (RFC 6455 section 4.1).
    phase_ = Phase::Ended;
    inner_.abort(kH2ProtocolError);
    end(client_gone("the client spoke before the WebSocket was open"));
    return;
  }
  if (phase_ == Phase::Refused || phase_ == Phase::Ended) {
    inner_.consume(bytes.size());
    return;
  }
  moved_ = loop().now();
  owed_raw_ += bytes.size();
  std::string pieces;
  std::string replies;
  codec_.receive(bytes, pieces, replies);
  if (phase_ == Phase::Closing) {
    settle();
    if (codec_.has_ended()) {
      phase_ = Phase::Ended;
      inner_.finish(Fields{});
    }
    return;
  }
  if (!pieces.empty()) {
    owed_pieces_ += pieces.size();
    handler_->on_request_bytes(pieces);
  }
  if (phase_ == Phase::Open && !replies.empty()) {
    // A client that only pings and never reads would else make us hold ever more.
    withholds_ = inner_.send(std::move(replies)) > terms_.window;
  }
  if (codec_.has_ended() && (phase_ == Phase::Open || phase_ == Phase::Closing)) {
    on_client_end(client_gone(codec_.has_closed() ? "the client closed the WebSocket" : broken_text(codec_.broken())));
    return;
  }
  settle();
}

// Its close was answered by the codec, or ours crossed it.
void WebSocketExchange::on_client_end(const Status& status) {
  const bool was_open = phase_ == Phase::Open;
  phase_ = Phase::Ended;
  inner_.finish(Fields{});
  if (was_open) {
    end(status);
  }
}

// The client's side ends without a close.
void WebSocketExchange::on_request_end(const Fields&) {
  if (phase_ == Phase::Open || phase_ == Phase::Closing) {
    on_client_end(client_gone("the client ended the WebSocket without a close"));
  }
}

void WebSocketExchange::on_send_ready() {
  withholds_ = false;
  settle();
  if (handler_ != nullptr && (phase_ == Phase::Open || phase_ == Phase::Refused)) {
    handler_->on_send_ready();
  }
}

void WebSocketExchange::on_exchange_end(const Status& status) {
  // A client may just go once it has our last word.
  const bool has_left = closed_ != TimePoint{} && inner_.buffered() == 0;
  phase_ = Phase::Ended;
  deadline_.clear();
  terms_.open.remove(*this);
  end(has_left && status.code == Code::Cancelled ? Status{} : status);
}

void WebSocketExchange::end(const Status& status) {
  if (handler_ != nullptr) {
    handler_->on_exchange_end(status);
    loop().bury(std::move(handler_));
  }
}

void WebSocketExchange::watch() {
  if (phase_ == Phase::Closing) {
    deadline_.set(closed_ + terms_.limits.web_socket_close);
  } else if (phase_ == Phase::Open && terms_.limits.web_socket_ping.count() > 0) {
    deadline_.set(asked_ > moved_ ? asked_ + terms_.limits.web_socket_pong : moved_ + terms_.limits.web_socket_ping);
  }
}

void WebSocketExchange::on_deadline() {
  const TimePoint now = loop().now();
  if (phase_ == Phase::Closing && now >= closed_ + terms_.limits.web_socket_close) {
    phase_ = Phase::Ended;
    inner_.finish(Fields{});
  } else if (phase_ == Phase::Open) {
    look_at_silence(now);
  }
  watch();
}

// A ping behind messages that the client takes its time for says nothing about the client: who does not read at all is
// the session's to give up. Nor can its answer be awaited while messages of the client, which the handler does not take,
// keep it back: there the ping only breaks the session of one that has gone.
void WebSocketExchange::look_at_silence(TimePoint now) {
  if (is_settled() && asked_ > moved_ && now >= asked_ + terms_.limits.web_socket_pong) {
    phase_ = Phase::Ended;
    inner_.abort(kH2Cancel);
    end(client_gone("the client does not answer pings"));
  } else if (inner_.buffered() == 0 && asked_ <= moved_ && now >= moved_ + terms_.limits.web_socket_ping) {
    std::string ping;
    append_web_socket_ping(ping);
    (is_settled() ? asked_ : moved_) = now;
    inner_.send(std::move(ping));
  } else if (!is_settled()) {
    moved_ = now;
  }
}

}  // namespace transom
