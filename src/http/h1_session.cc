#include "http/h1_session.h"

#include <algorithm>
#include <utility>

#include "http/h2_session.h"

namespace transom {
namespace {

constexpr std::string_view kPreface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
constexpr size_t kKeptInputBytes = 4 * kKiB;  // an idle session gives back a larger buffer

bool begins_alike(std::string_view a, std::string_view b) {
  size_t both = std::min(a.size(), b.size());
  return a.substr(0, both) == b.substr(0, both);
}

Status client_gone(std::string reason) { return client_error(Code::Cancelled, std::move(reason)); }

}  // namespace

H1Session::H1Session(SessionRoom& room, std::unique_ptr<Transport> transport, bool may_switch)
    : room_(room),
      transport_(std::move(transport)),
      deadline_(room.loop, [this] { on_deadline(); }),
      parser_(room.options.limits),
      writer_(room.options.account),
      input_charge_(room.options.account),
      may_switch_(may_switch),
      opened_(room.loop.now()),
      read_since_(opened_) {
  transport_->set_handler(this);
  transport_->resume_reading();
  update_deadline();
}

H1Session::~H1Session() = default;

void H1Session::drain() {
  is_draining_ = true;
  if (reads_head() && !parser_.has_started() && input_.empty()) {
    linger();
  }
}

void H1Session::pause_bodies(bool paused) {
  if (!paused && phase_ != Phase::Ended) {
    room_.loop.mark(*this);
  }
}

void H1Session::close() {
  if (phase_ != Phase::Ended) {
    end_exchange(client_gone("the session was closed"));
    phase_ = Phase::Ended;
  }
}

void H1Session::on_transport_bytes(std::string_view bytes) {
  if (phase_ == Phase::Ended || phase_ == Phase::Lingering) {
    return;
  }
  if (!reads_head() || !parser_.has_started()) {
    read_since_ = room_.loop.now();  // within a head the time runs from its first byte
  }
  if (input_.empty()) {
    pending_ = bytes;
  } else {
    input_.append(bytes);
    pending_ = input_;
  }
  read_pending();
  keep_pending();
}

// Parses what was kept, after something else than new bytes made that possible.
void H1Session::read_buffered() {
  if (!input_.empty() && phase_ != Phase::Ended) {
    pending_ = input_;
    read_pending();
    keep_pending();
  }
}

// What was not parsed stays in input_; pending_ may be a part of it.
void H1Session::keep_pending() {
  if (phase_ == Phase::Ended) {
    return;
  }
  if (pending_.empty()) {
    input_.clear();
    if (input_.capacity() > kKeptInputBytes) {
      input_.shrink_to_fit();
    }
  } else if (!input_.empty()) {
    input_.erase(0, input_.size() - pending_.size());
  } else {
    input_.assign(pending_);
  }
  pending_ = {};
  input_charge_.set(input_.size());
  update_reading();
  update_deadline();
}

void H1Session::read_pending() {
  while (may_parse() && read_one()) {
  }
}

bool H1Session::may_parse() const {
  if (phase_ == Phase::Dropping) {
    return true;
  }
  if (phase_ != Phase::Request || is_refusing_) {
    return false;
  }
  return exchange_ != nullptr ? !request_ended_ : !pending_.empty();
}

// One event of the parser. False when it waits for more bytes, or the session for something else.
bool H1Session::read_one() {
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
  H1Event event = parser_.next(pending_, body_credit(), consumed);
  pending_.remove_prefix(consumed);
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

size_t H1Session::body_credit() const {
  size_t window = room_.options.exchange_window;
  if (phase_ == Phase::Dropping || writer_.has_ended() || writer_.is_cut()) {
    return window;  // nobody holds it
  }
  size_t credit = window > unconsumed_ ? window - unconsumed_ : 0;
  if (room_.bodies_paused) {
    // A small body still passes (design decision 6).
    credit = std::min<uint64_t>(credit, window > delivered_ ? window - delivered_ : 0);
  }
  return credit;
}

// Before the first request. True when this session has nothing more to read, or must see more to know.
bool H1Session::switches_protocol() {
  if (!begins_alike(pending_, kPreface)) {
    may_switch_ = true;
    return false;
  }
  if (pending_.size() < kPreface.size()) {
    return true;
  }
  switch_to_h2(nullptr);
  return true;
}

void H1Session::switch_to_h2(std::unique_ptr<H2Upgrade> upgrade) {
  phase_ = Phase::Ended;
  auto next = make_h2_session(room_, std::move(transport_));
  H2Opening& opening = *next;
  std::string_view bytes = pending_;
  pending_ = {};
  room_.owner.replace(*this, std::move(next));
  opening.begin(std::move(upgrade), bytes);  // this one is only buried: bytes may be a part of input_
}

void H1Session::fill_head(RequestHead& head) const {
  head.version = HttpVersion::Http1;
  head.peer = transport_->peer();
  head.is_tls = transport_->is_tls();
  head.scheme = head.is_tls ? "https" : "http";
}

void H1Session::on_head() {
  facts_ = std::move(parser_.facts());
  RequestHead head = std::move(parser_.head());
  fill_head(head);
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
  start_request();
  length_left_ = facts_.is_chunked ? -1 : std::max<int64_t>(head.content_length, 0);
  writer_.start(facts_.is_http10, facts_.is_head, facts_.takes_trailers && !facts_.is_http10);
  H1AnswerSink& sink = *this;
  exchange_ = std::make_unique<H1Exchange>(sink, room_.loop, std::move(head),
                                           facts_.takes_trailers && !facts_.is_http10);
  ++room_.open_exchanges;
  exchange_->set_handler(room_.acceptor.on_exchange(*exchange_));
  if (facts_.expects_continue && !writer_.has_head() && pending_.empty()) {
    sends_continue_ = true;
    room_.loop.mark(*this);
  }
}

void H1Session::start_request() {
  request_ended_ = close_after_ = sends_continue_ = sent_continue_ = is_above_high_ = false;
  unconsumed_ = 0;
  delivered_ = 0;
  dropped_ = 0;
}

void H1Session::on_body(std::string_view bytes) {
  sends_continue_ = false;
  if (length_left_ > 0) {
    length_left_ -= static_cast<int64_t>(bytes.size());
  }
  if (exchange_ == nullptr || writer_.has_ended() || writer_.is_cut()) {
    dropped_ += bytes.size();
    if (phase_ == Phase::Dropping && dropped_ > room_.options.limits.dropped_body) {
      linger();
    }
    return;
  }
  unconsumed_ += bytes.size();
  delivered_ += bytes.size();
  exchange_->on_body(bytes);
}

void H1Session::on_request_end() {
  request_ended_ = true;
  sends_continue_ = false;
  if (phase_ == Phase::Dropping) {
    phase_ = Phase::Request;
    read_since_ = room_.loop.now();
    parser_.start();
    return;
  }
  if (exchange_ != nullptr && exchange_->handler() != nullptr && !writer_.has_ended() && !writer_.is_cut()) {
    exchange_->handler()->on_request_end(parser_.trailers());
  }
}

bool H1Session::wants_bytes() const {
  if (phase_ == Phase::Ended) {
    return false;
  }
  if (exchange_ != nullptr && !request_ended_) {
    return body_credit() > 0;
  }
  // Also while an answer is awaited, to see that the client goes; what it sends early is kept up to a bound.
  return input_.size() < room_.options.limits.read_per_turn || phase_ == Phase::Lingering;
}

void H1Session::update_reading() {
  bool wanted = wants_bytes();
  if (phase_ == Phase::Ended || wanted == is_reading_) {
    return;
  }
  is_reading_ = wanted;
  if (wanted) {
    read_since_ = room_.loop.now();
    transport_->resume_reading();
  } else {
    transport_->pause_reading();
  }
}

void H1Session::on_body_consumed(size_t bytes) {
  unconsumed_ -= std::min(unconsumed_, bytes);
  if (!is_reading_ || !input_.empty()) {
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
    sent_continue_ = true;
    out.append(kH1Continue);
  }
  if (writer_.has_more() && has_open_answer()) {
    decide_close();
    writer_.produce(out, room_.options.limits.write_per_turn, close_after_, facts_.is_http10 && facts_.wants_keep_alive);
  }
  if (!out.empty()) {
    wrote_since_ = room_.loop.now();
    transport_->write(out);
    last_queued_ = transport_->queued();
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
  bool leaves_body = writer_.has_ended() && !request_ended_ && !can_drop_rest();
  close_after_ = close_after_ || facts_.wants_close || is_draining_ || is_refusing_ || is_over_requests || is_over_age ||
                 leaves_body;
}

// The rest of the request's body may be read and dropped, so that the next request can be found behind it.
bool H1Session::can_drop_rest() const {
  bool may_not_come = facts_.expects_continue && !sent_continue_ && delivered_ == 0;
  return !may_not_come && length_left_ >= 0 && static_cast<uint64_t>(length_left_) <= room_.options.limits.dropped_body;
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
  if (is_cut || close_after_ || writer_.ends_by_close() || (!request_ended_ && !can_drop_rest())) {
    linger();
    return;
  }
  if (!request_ended_) {
    phase_ = Phase::Dropping;
    dropped_ = 0;
  } else {
    parser_.start();
    read_since_ = room_.loop.now();
    if (is_draining_ && input_.empty()) {
      linger();
      return;
    }
  }
  if (!input_.empty()) {
    room_.loop.mark(*this);
  }
}

void H1Session::refuse(const Refusal& refusal) {
  Status status = status_of(refusal);
  if (exchange_ == nullptr) {
    if (phase_ == Phase::Dropping) {
      linger();
      return;
    }
    room_.tell_refused(HttpVersion::Http1, status);
    facts_ = H1Facts{};
    answer_refusal(status);
    return;
  }
  bool is_answered = writer_.has_head();
  if (is_answered && writer_.has_ended()) {
    request_ended_ = false;  // what is left of the body cannot be read: the session ends after the answer
    length_left_ = -1;
    close_after_ = true;
    phase_ = Phase::Request;
    return;
  }
  end_exchange(status);
  if (is_answered) {
    writer_.cut();
    linger();
  } else {
    answer_refusal(status);
  }
}

void H1Session::answer_refusal(const Status& status) {
  is_refusing_ = true;
  sends_continue_ = false;
  close_after_ = true;
  writer_.start(false, facts_.is_head, false);
  ResponseHead head;
  head.status = http_status_of(status);
  std::string body = room_.error_body(status);
  head.fields.add("content-type", "application/json");
  head.content_length = static_cast<int64_t>(body.size());
  writer_.give_head(head, room_.date.now());
  writer_.give_body(std::move(body));
  writer_.give_end(Fields{});
  room_.loop.mark(*this);
}

void H1Session::on_transport_drained() {
  if (phase_ != Phase::Ended) {
    room_.loop.mark(*this);
  }
}

void H1Session::on_transport_eof() {
  if (phase_ == Phase::Ended) {
    return;
  }
  end_exchange(client_gone("the client closed the session"));
  end();
}

void H1Session::on_transport_error(const Status& status) {
  if (phase_ == Phase::Ended) {
    return;
  }
  end_exchange(client_gone(status.message));
  end();
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
  phase_ = Phase::Lingering;
  input_.clear();
  pending_ = {};
  input_charge_.set(0);
  transport_->shutdown();
  read_since_ = room_.loop.now();
  update_reading();
  update_deadline();
}

void H1Session::end() {
  phase_ = Phase::Ended;
  room_.owner.end(*this);
}

void H1Session::update_deadline() {
  const SessionLimits& limits = room_.options.limits;
  TimePoint due = TimePoint::max();
  if (phase_ == Phase::Lingering) {
    due = read_since_ + limits.linger;
  } else if (reads_head()) {
    bool has_begun = parser_.has_started() || !input_.empty();
    due = read_since_ + (has_begun ? limits.header_timeout : limits.idle);
  } else if (!request_ended_ && !is_refusing_ && is_reading_) {
    due = read_since_ + limits.body_timeout;
  }
  if (transport_->queued() > 0) {
    due = std::min<TimePoint>(due, wrote_since_ + limits.write_timeout);
  }
  if (due == TimePoint::max()) {
    deadline_.clear();
  } else {
    deadline_.set(due);
  }
}

void H1Session::on_deadline() {
  if (phase_ == Phase::Ended) {
    return;
  }
  const SessionLimits& limits = room_.options.limits;
  TimePoint now = room_.loop.now();
  if (transport_->queued() > 0 && now >= wrote_since_ + limits.write_timeout) {
    on_write_deadline();
    return;
  }
  if (phase_ == Phase::Lingering) {
    end();
  } else if (reads_head()) {
    bool has_begun = parser_.has_started() || !input_.empty();
    if (has_begun && now >= read_since_ + limits.header_timeout) {
      refuse({408, "the request head took too long"});
    } else if (!has_begun && now >= read_since_ + limits.idle) {
      linger();
    }
  } else if (phase_ == Phase::Dropping && now >= read_since_ + limits.body_timeout) {
    linger();
  } else if (!request_ended_ && !is_refusing_ && is_reading_ && now >= read_since_ + limits.body_timeout) {
    refuse({408, "the request body took too long"});
  }
  if (phase_ != Phase::Ended) {
    update_deadline();
  }
}

void H1Session::on_write_deadline() {
  if (transport_->queued() < last_queued_) {
    last_queued_ = transport_->queued();
    wrote_since_ = room_.loop.now();
    update_deadline();
    return;
  }
  end_exchange(client_gone("the client took too long to read the answer"));
  transport_->reset_on_close();
  end();
}

}  // namespace transom
