#include "http/h1_session.h"

#include <algorithm>
#include <utility>

#include "http/h2_session.h"
#include "http/protocol_guess.h"

namespace transom {

H1Session::H1Session(SessionRoom& room, std::unique_ptr<Transport> transport, bool may_switch)
    : room_(room),
      transport_(std::move(transport)),
      deadline_(room.loop, [this] { on_deadline(); }),
      parser_(room.options.limits),
      writer_(room.options.account),
      input_(room.options.account),
      body_(room.options.exchange_window),
      patience_(room.options.limits, room.loop.now()),
      may_switch_(may_switch),
      opened_(room.loop.now()) {
  transport_->set_handler(this);
  transport_->watch_end();
  transport_->resume_reading();
  update_deadline();
}

H1Session::~H1Session() = default;

void H1Session::drain() {
  is_draining_ = true;
  patience_.on_drain();
  if (wait() == H1Wait::NextRequest) {
    // The client may have begun a request that is not here yet: it is answered, with Connection: close.
    patience_.on_read(room_.loop.now());
    update_deadline();
  }
}

void H1Session::pause_bodies(bool paused) {
  if (!paused && phase_ != Phase::Ended) {
    room_.loop.mark(*this);
  }
}

void H1Session::on_transport_bytes(std::string_view bytes) {
  if (phase_ == Phase::Ended || phase_ == Phase::Lingering) {
    return;
  }
  if (wait() != H1Wait::Head) {
    patience_.on_read(room_.loop.now());  // within a head the time runs from its first byte
  }
  input_.take(bytes);
  parse();
}

// Parses what was kept, after something else than new bytes made that possible.
void H1Session::read_buffered() {
  if (input_.has_kept() && phase_ != Phase::Ended) {
    input_.reopen();
    parse();
  }
}

void H1Session::parse() {
  while (may_parse() && read_one()) {
  }
  if (phase_ == Phase::Ended) {
    return;
  }
  input_.keep();
  if (has_peer_ended_ && is_starved()) {
    on_client_gone();
    return;
  }
  update_reading();
  update_deadline();
}

// After parsing: only more bytes could help.
bool H1Session::is_starved() const {
  if (phase_ != Phase::Request || is_refusing_) {
    return phase_ == Phase::Dropping;
  }
  if (exchange_ != nullptr) {
    return takes_body() && !body_.has_ended() && body_credit() > 0;
  }
  bool awaits_turn = requests_this_turn_ >= room_.options.limits.requests_per_turn;
  return !awaits_turn || parser_.has_started() || !input_.has_kept();
}

bool H1Session::may_parse() const {
  if (phase_ == Phase::Dropping) {
    return true;
  }
  if (phase_ != Phase::Request || is_refusing_) {
    return false;
  }
  return exchange_ != nullptr ? !body_.has_ended() : !input_.view().empty();
}

// One event of the parser. False when it waits for more bytes, or the session for something else.
bool H1Session::read_one() {
  if (is_web_socket()) {
    return read_web_socket();
  }
  if (exchange_ == nullptr && phase_ == Phase::Request) {
    if (may_switch_ && !parser_.has_started() && switches_protocol()) {
      return false;
    }
    if (!parser_.has_started() && requests_this_turn_ >= room_.options.limits.requests_per_turn) {
      room_.loop.mark(*this);  // flushes in the next phase of the loop, which comes before it waits
      return false;
    }
  }
  size_t consumed = 0;
  H1Event event = parser_.next(input_.view(), body_credit(), consumed);
  input_.consume(consumed);
  switch (event) {
    case H1Event::NeedMore:
      return false;
    case H1Event::Head:
      on_head();
      return true;
    case H1Event::Body:
      on_body(parser_.body());
      return true;
    case H1Event::End:
      on_request_end();
      return phase_ == Phase::Request;
    case H1Event::Refused:
      refuse(parser_.refusal());
      return false;
  }
  return false;
}

// Behind the head of a request for a WebSocket there is no HTTP any more; what comes before the answer is kept.
bool H1Session::read_web_socket() {
  std::string_view bytes = input_.view().substr(0, body_credit());
  if (bytes.empty() || !writer_.has_head()) {
    return false;
  }
  input_.consume(bytes.size());
  on_body(bytes);
  return true;
}

// The body is somebody's; else it is read and dropped.
bool H1Session::takes_body() const { return exchange_ != nullptr && !writer_.has_ended() && !writer_.is_cut(); }

size_t H1Session::body_credit() const {
  return takes_body() ? body_.credit(room_.bodies_paused) : room_.options.exchange_window;
}

// Before the first request. True when this session has nothing more to read, or must see more to know.
bool H1Session::switches_protocol() {
  ProtocolGuess guess = guess_protocol(input_.view());
  if (guess == ProtocolGuess::Http2) {
    switch_to_h2(nullptr);
  }
  return guess != ProtocolGuess::Http1;
}

void H1Session::switch_to_h2(std::unique_ptr<H2Upgrade> upgrade) {
  phase_ = Phase::Ended;
  auto next = make_h2_session(room_, std::move(transport_));
  H2Opening& opening = *next;
  room_.owner.replace(*this, std::move(next));
  opening.begin(std::move(upgrade), input_.view());  // this one is only buried: its input is still there
}

void H1Session::on_head() {
  facts_ = std::move(parser_.facts());
  RequestHead head = std::move(parser_.head());
  head.peer = transport_->peer();
  head.is_tls = transport_->is_tls();
  head.scheme = head.is_tls ? "https" : "http";
  ++requests_;
  ++requests_this_turn_;
  if (facts_.upgrades_to_h2c && may_switch_ && requests_ == 1 && !is_draining_ &&
      are_valid_h2_settings(facts_.http2_settings)) {
    auto upgrade = std::make_unique<H2Upgrade>();
    upgrade->settings = std::move(facts_.http2_settings);
    upgrade->takes_trailers = facts_.takes_trailers;
    upgrade->head = std::move(head);
    switch_to_h2(std::move(upgrade));
    return;
  }
  may_switch_ = false;
  close_after_ = sends_continue_ = is_above_high_ = has_asked_ = false;
  body_.start(facts_.is_chunked || facts_.is_web_socket ? -1 : std::max<int64_t>(head.content_length, 0), facts_.expects_continue);
  writer_.start(facts_.is_http10, facts_.is_head);
  H1AnswerSink& sink = *this;
  exchange_ =
      std::make_unique<H1Exchange>(sink, room_.loop, std::move(head), facts_.takes_trailers && !facts_.is_http10);
  ++room_.open_exchanges;
  exchange_->set_handler(room_.handler_of(*exchange_));
  if (facts_.expects_continue && !writer_.has_head() && input_.view().empty()) {
    sends_continue_ = true;
    room_.loop.mark(*this);
  }
}

void H1Session::on_body(std::string_view bytes) {
  sends_continue_ = false;
  if (takes_body()) {
    body_.on_delivered(bytes.size());
    exchange_->on_body(bytes);
    return;
  }
  body_.on_dropped(bytes.size());
}

void H1Session::on_request_end() {
  body_.on_end();
  sends_continue_ = false;
  if (phase_ == Phase::Dropping) {
    phase_ = Phase::Request;
    patience_.on_read(room_.loop.now());
    parser_.start();
  } else if (takes_body() && exchange_->handler() != nullptr) {
    exchange_->handler()->on_request_end(parser_.trailers());
  }
}

bool H1Session::wants_bytes() const {
  if (phase_ == Phase::Ended) {
    return false;
  }
  bool awaits_switch = is_web_socket() && !writer_.has_head();
  if (exchange_ != nullptr && !body_.has_ended() && !awaits_switch) {
    return body_credit() > 0;
  }
  if (reads_head() && parser_.has_started()) {
    return true;  // the parser bounds it
  }
  // Also while an answer is awaited, to see that the client goes; what it sends early is kept up to a bound.
  return input_.kept_bytes() < room_.options.limits.read_per_turn || phase_ == Phase::Lingering;
}

void H1Session::update_reading() {
  bool wanted = wants_bytes();
  if (phase_ == Phase::Ended || wanted == is_reading_) {
    return;
  }
  is_reading_ = wanted;
  if (wanted) {
    patience_.on_read(room_.loop.now());
    transport_->resume_reading();
  } else {
    transport_->pause_reading();
  }
}

void H1Session::on_body_consumed(size_t bytes) {
  body_.on_consumed(bytes);
  if (!is_reading_ || input_.has_kept()) {
    room_.loop.mark(*this);
  }
}

void H1Session::on_answer_head(const ResponseHead& head) {
  writer_.give_head(head, room_.date.now());
  sends_continue_ = false;
  room_.loop.mark(*this);
}

void H1Session::on_answer_bytes(std::string&& bytes) {
  writer_.give_body(std::move(bytes));
  is_above_high_ = is_above_high_ || answer_buffered() > room_.options.exchange_window;
  room_.loop.mark(*this);
}

void H1Session::on_answer_end(const Fields& trailers) {
  writer_.give_end(trailers);
  room_.loop.mark(*this);
}

void H1Session::on_answer_cut() {
  writer_.cut();
  room_.loop.mark(*this);
}

void H1Session::flush() {
  requests_this_turn_ = 0;
  if (phase_ == Phase::Ended) {
    return;
  }
  read_buffered();
  if (phase_ == Phase::Ended) {
    return;
  }
  write_answer();
  if (phase_ != Phase::Ended) {
    update_reading();
    update_deadline();
  }
}

void H1Session::write_answer() {
  if (phase_ != Phase::Request || transport_->queued() > 0) {
    return;  // on_transport_drained marks
  }
  std::string& out = room_.scratch;
  out.clear();
  if (sends_continue_) {
    sends_continue_ = false;
    body_.on_continue_sent();
    out.append(kH1Continue);
  }
  if (writer_.has_more() && has_open_answer()) {
    decide_close();
    writer_.produce(out, room_.options.limits.write_per_turn, close_after_,
                    facts_.is_http10 && facts_.wants_keep_alive);
  }
  if (!out.empty()) {
    transport_->write(out);
    patience_.on_write(room_.loop.now(), transport_->untaken());
    // The framing may have brought it there, which its handler sees as well.
    is_above_high_ = is_above_high_ || answer_buffered() > room_.options.exchange_window;
  }
  if (!has_open_answer() || transport_->queued() > 0) {
    return;
  }
  tell_send_ready();
  if (writer_.is_done()) {
    on_answer_left();
  } else if (writer_.has_more()) {
    room_.loop.mark(*this);
  }
}

void H1Session::tell_send_ready() {
  if (is_above_high_ && answer_buffered() <= room_.options.exchange_window / 2 && exchange_ != nullptr) {
    is_above_high_ = false;
    if (exchange_->handler() != nullptr && !writer_.has_ended() && !writer_.is_cut()) {
      exchange_->handler()->on_send_ready();
    }
  }
}

void H1Session::decide_close() {
  const SessionLimits& limits = room_.options.limits;
  bool is_over_requests = limits.requests > 0 && requests_ >= limits.requests;
  bool is_over_age = limits.age.count() > 0 && room_.loop.now() - opened_ >= limits.age;
  bool leaves_body = writer_.has_ended() && !can_reach_next();
  close_after_ = close_after_ || facts_.wants_close || is_draining_ || is_refusing_ || is_over_requests ||
                 is_over_age || leaves_body || facts_.is_web_socket || (has_peer_ended_ && !input_.has_kept());
}

// The next request can be found behind this one's body.
bool H1Session::can_reach_next() const {
  return body_.has_ended() || body_.can_drop_rest(room_.options.limits.dropped_body);
}

void H1Session::on_answer_left() {
  bool is_cut = writer_.is_cut() || writer_.is_broken();
  if (is_cut && writer_.ends_by_close()) {
    transport_->reset_on_close();  // its end must not look like the end of the body
    end_exchange(proxy_error(Code::Aborted, "the answer was cut"));
    end();
    return;
  }
  end_exchange(is_cut ? proxy_error(Code::Aborted, "the answer was cut") : Status{});
  bool is_last = close_after_ || (has_peer_ended_ && !input_.has_kept());
  if (is_cut || is_last || writer_.ends_by_close() || !can_reach_next()) {
    linger();
    return;
  }
  if (!body_.has_ended()) {
    phase_ = Phase::Dropping;
  } else {
    parser_.start();
    patience_.on_read(room_.loop.now());
  }
  if (input_.has_kept()) {
    room_.loop.mark(*this);
  }
}

void H1Session::on_transport_drained() {
  if (phase_ != Phase::Ended) {
    room_.loop.mark(*this);
  }
}

}  // namespace transom
