// The end of an HTTP/1.x session: what it refuses by itself, a client that goes, and what it does not wait for.
#include <utility>

#include "http/h1_session.h"
#include "http/protocol_guess.h"

namespace transom {
namespace {

Status client_gone(std::string reason) { return client_error(Code::Cancelled, std::move(reason)); }

}  // namespace

void H1Session::close() {
  if (phase_ != Phase::Ended) {
    end_exchange(client_gone("the session was closed"));
    phase_ = Phase::Ended;
  }
}

void H1Session::refuse(const Refusal& refusal) {
  Status status = status_of(refusal);
  if (exchange_ == nullptr) {
    if (phase_ == Phase::Dropping) {
      linger();
      return;
    }
    facts_ = H1Facts{};
    body_.on_end();
    // Counted as well, but there is nobody to answer.
    if (requests_ == 0 && !parser_.has_request_line() && is_not_http(input_.view())) {
      room_.tell_refused(status, RequestHead{}, transport_->peer(), {});
      linger();
      return;
    }
    const RequestHead head = parser_.has_started() ? std::move(parser_.head()) : RequestHead{};
    const std::string id = room_.error_id(head.fields);
    room_.tell_refused(status, head, transport_->peer(), id);
    answer_refusal(status, id, head.fields);
    return;
  }
  bool is_answered = writer_.has_head();
  if (writer_.has_ended()) {
    body_.on_broken();  // the session ends after the answer
    close_after_ = true;
    phase_ = Phase::Request;
    return;
  }
  ExchangeHandler* handler = exchange_->handler();
  std::string id = handler != nullptr ? handler->request_id() : room_.error_id(exchange_->head().fields);
  const Fields request = exchange_->head().fields;
  end_exchange(status);
  if (is_answered) {
    writer_.cut();
    linger();
  } else {
    answer_refusal(status, id, request);
  }
}

void H1Session::answer_refusal(const Status& status, const std::string& id, const Fields& request) {
  is_refusing_ = true;
  sends_continue_ = false;
  close_after_ = true;
  writer_.start(false, facts_.is_head);
  std::string body;
  ResponseHead head = room_.error_head(status, id, request, body);
  writer_.give_head(head, room_.date.now());
  writer_.give_body(std::move(body));
  writer_.give_end(Fields{});
  room_.loop.mark(*this);
}

void H1Session::on_transport_eof() {
  has_peer_ended_ = true;
  if (phase_ == Phase::Request && may_still_read()) {
    patience_.on_read(room_.loop.now());
    update_deadline();
    room_.loop.mark(*this);  // what is kept may be a request
    return;
  }
  on_client_gone();
}

// Of a request that waits unread for its credit nobody knows whether it is whole: the client is asked at once.
void H1Session::on_transport_ending() {
  if (phase_ == Phase::Ended || !has_open_answer() || writer_.has_ended()) {
    return;
  }
  if (can_be_asked()) {
    ask();
  } else {
    on_client_gone();
  }
}

void H1Session::ask() {
  sends_continue_ = true;
  room_.loop.mark(*this);
}

void H1Session::on_client_gone() { H1Session::on_transport_error(client_gone("the client closed the session")); }

// A client that has only ended its own side (RFC 9112 section 9.6 lets it) and one that has gone look the same until
// something is sent. A request that is whole is carried on, and after a short time the client is asked by a 100, which
// every client must be ready for (RFC 9110 section 15.2): one that has gone makes that an error at once, and its call is
// cancelled. Where that cannot be asked (in HTTP/1.0, behind an answer that has begun, over TLS, where the end is a
// message of its own) it counts as gone: a call for nobody is worse than a rare client's lost answer.
bool H1Session::may_still_read() const {
  if (!has_open_answer()) {
    return input_.has_kept();
  }
  return writer_.has_ended() || (body_.has_ended() && can_be_asked());
}

bool H1Session::can_be_asked() const {
  return !writer_.has_head() && !facts_.is_http10 && !facts_.is_web_socket && !transport_->is_tls();
}

void H1Session::on_transport_error(const Status& status) {
  if (phase_ != Phase::Ended) {
    end_exchange(client_gone(status.message));
    end();
  }
}

// Buries the exchange; its handler hears the end first.
void H1Session::end_exchange(const Status& status) {
  is_refusing_ = false;
  if (exchange_ == nullptr) {
    return;
  }
  std::unique_ptr<H1Exchange> ended = std::move(exchange_);
  --room_.open_exchanges;
  ended->on_end(status);
  room_.loop.bury(std::move(ended));
}

void H1Session::linger() {
  if (has_peer_ended_) {
    end();
    return;
  }
  phase_ = Phase::Lingering;
  input_.clear();
  transport_->shutdown();
  patience_.on_read(room_.loop.now());
  update_reading();
  update_deadline();
}

void H1Session::end() {
  phase_ = Phase::Ended;
  room_.owner.end(*this);
}

H1Wait H1Session::wait() const {
  if (phase_ == Phase::Lingering) {
    return H1Wait::Linger;
  }
  if (has_peer_ended_) {
    return exchange_ != nullptr && !has_asked_ && !writer_.has_head() ? H1Wait::HalfClosed : H1Wait::Nothing;
  }
  if (reads_head()) {
    return parser_.has_started() || input_.has_kept() ? H1Wait::Head : H1Wait::NextRequest;
  }
  if (!is_reading_ && exchange_ != nullptr && !body_.has_ended() && can_be_asked()) {
    return H1Wait::Held;
  }
  const bool may_pause = exchange_ != nullptr && exchange_->may_pause() && phase_ != Phase::Dropping;
  return !body_.has_ended() && !is_refusing_ && is_reading_ && !may_pause ? H1Wait::Body : H1Wait::Nothing;
}

void H1Session::update_deadline() { deadline_.set(patience_.due(wait(), transport_->queued())); }

void H1Session::on_deadline() {
  if (phase_ == Phase::Ended) {
    return;
  }
  TimePoint now = room_.loop.now();
  if (patience_.is_write_over(now, transport_->untaken())) {
    end_exchange(client_gone("the client took too long to read the answer"));
    transport_->reset_on_close();
    end();
    return;
  }
  H1Wait waited = wait();
  if (patience_.is_read_over(waited, now)) {
    on_waited(waited);
  }
  if (phase_ != Phase::Ended) {
    update_deadline();
  }
}

void H1Session::on_waited(H1Wait waited) {
  if (waited == H1Wait::Linger) {
    end();
  } else if (waited == H1Wait::HalfClosed) {
    has_asked_ = true;
    ask();
  } else if (waited == H1Wait::Held) {
    ask();  // one that has closed, with bytes that it could not send, shows no end
    patience_.on_read(room_.loop.now());
  } else if (waited == H1Wait::Head) {
    refuse({408, "the request head took too long"});
  } else if (waited == H1Wait::NextRequest || phase_ == Phase::Dropping) {
    linger();
  } else if (waited == H1Wait::Body) {
    refuse({408, "the request body took too long"});
  }
}

}  // namespace transom
