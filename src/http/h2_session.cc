#include <algorithm>
#include <utility>

#include "http/h2_session_state.h"

namespace transom {
namespace {

constexpr std::string_view kSwitching =
    "HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: h2c\r\n\r\n";
constexpr uint8_t kData = 0;
constexpr uint8_t kHeaders = 1;
constexpr uint8_t kRstStream = 3;
constexpr uint8_t kEndStream = 1;

Status client_gone(std::string reason) { return client_error(Code::Cancelled, std::move(reason)); }

}  // namespace

std::unique_ptr<H2Opening> make_h2_session(SessionRoom& room, std::unique_ptr<Transport> transport) {
  return std::make_unique<H2Session>(room, std::move(transport));
}

H2Session::H2Session(SessionRoom& room, std::unique_ptr<Transport> transport)
    : room_(room),
      transport_(std::move(transport)),
      deadline_(room.loop, [this] { sweep(); }),
      limits_(room.options.limits),
      codec_(*this, room.options.limits, room.options.exchange_window),
      answers_(room, codec_, [this] { note_cut_answers(); }),
      exchanges_(room.loop, room.open_exchanges),
      input_charge_(room.options.account),
      opened_(room.loop.now()),
      idle_since_(opened_),
      head_since_(opened_),
      wrote_since_(opened_) {}

H2Session::~H2Session() = default;

void H2Session::begin(std::unique_ptr<H2Upgrade> upgrade, std::string_view bytes) {
  transport_->set_handler(this);
  transport_->resume_reading();
  codec_.submit_settings();
  room_.loop.mark(*this);
  if (upgrade != nullptr) {
    transport_->write(kSwitching);
    H2Exchange& exchange = add_exchange(1);
    if (!codec_.upgrade(upgrade->settings, upgrade->head.method == "HEAD", exchange)) {
      end(client_gone("malformed HTTP2-Settings"));
      return;
    }
    exchange.reading().take_upgraded(std::move(upgrade->head), upgrade->takes_trailers);
    exchange.head_ended = true;
    exchange.request_ended = true;
    start_exchange(exchange);
    if (exchange.handler() != nullptr && !exchange.has_ended()) {
      exchange.handler()->on_request_end(Fields{});
    }
  }
  if (!bytes.empty()) {
    read(bytes);
  }
  set_deadline();
}

// Bodies paused: what handlers consume is not told to the clients, so that each stream gets at most its first window.
void H2Session::pause_bodies(bool paused) {
  if (paused || phase_ != Phase::Open) {
    return;
  }
  for (size_t i = 0; i < exchanges_.size(); ++i) {
    H2Exchange& exchange = exchanges_[i];
    if (exchange.withheld > 0) {
      codec_.consume_stream(exchange.stream, std::exchange(exchange.withheld, 0));
      exchange.read_since = room_.loop.now();
    }
  }
  room_.loop.mark(*this);
}

void H2Session::on_transport_bytes(std::string_view bytes) {
  if (phase_ != Phase::Open) {
    return;
  }
  if (input_.empty()) {
    read(bytes);
  } else {
    input_.append(bytes);
    input_charge_.set(input_.size());
  }
}

void H2Session::read(std::string_view bytes) {
  int64_t taken = codec_.receive(bytes);
  if (taken < 0) {
    phase_ = Phase::Closing;
  } else if (static_cast<size_t>(taken) < bytes.size()) {
    input_.assign(bytes.substr(static_cast<size_t>(taken)));
    transport_->pause_reading();
  }
  after_read();
}

void H2Session::after_read() {
  input_charge_.set(input_.size());
  room_.loop.mark(*this);
  settle();
}

bool H2Session::on_control_frame() {
  return limits_.on_control_frame(room_.loop.now()) || fail(H2Error::EnhanceYourCalm);
}

bool H2Session::fail(H2Error error) {
  codec_.terminate(error);
  return false;
}

H2Exchange& H2Session::add_exchange(int32_t stream) {
  auto made = std::make_unique<H2Exchange>(static_cast<H2ExchangeOwner&>(*this), room_.loop, stream,
                                           room_.options.exchange_window, room_.options.account);
  made->read_since = made->wrote_since = room_.loop.now();
  H2Exchange& exchange = exchanges_.add(std::move(made));
  if (exchanges_.size() == 1) {
    set_deadline();
  }
  return exchange;
}

H2Exchange& H2Session::on_request_begin(int32_t stream) {
  H2Exchange& exchange = add_exchange(stream);
  ++requests_;
  ++requests_this_turn_;
  limits_.on_request();
  reading_head_ = &exchange;
  head_since_ = room_.loop.now();
  return exchange;
}

bool H2Session::on_field(H2Exchange& exchange, bool is_trailer, std::string_view name, std::string_view value) {
  if (is_trailer) {
    exchange.reading().on_trailer(room_.options.limits, name, value);
    return true;
  }
  bool is_first = exchange.reading().is_empty();
  exchange.reading().on_field(room_.options.limits, name, value);
  return !is_first || requests_this_turn_ <= room_.options.limits.requests_per_turn;
}

void H2Session::on_invalid_field(H2Exchange& exchange) {
  if (!exchange.head_ended) {
    exchange.reading().on_invalid_field();
  }
}

void H2Session::on_head(H2Exchange& exchange, bool ends) {
  reading_head_ = nullptr;
  exchange.head_ended = true;
  exchange.read_since = room_.loop.now();
  RequestHead& head = exchange.reading().request();
  head.peer = transport_->peer();
  head.is_tls = transport_->is_tls();
  if (Refusal refusal = exchange.reading().on_end(ends)) {
    Status status = status_of(refusal);
    const std::string id = room_.error_id(head.fields);
    room_.tell_refused(status, head, head.peer, id);
    refuse(exchange, status, id);
    return;
  }
  start_exchange(exchange);
  if (exchange.reading().expects_continue() && !exchange.is_answered()) {
    exchange.sends_continue = true;
    on_answer_changed(exchange);
  }
}

void H2Session::start_exchange(H2Exchange& exchange) {
  exchange.set_handler(room_.handler_of(exchange));
  const SessionLimits& limits = room_.options.limits;
  if (!is_draining_ && ((limits.requests > 0 && requests_ >= limits.requests) || is_over_age())) {
    start_goaway();
  }
}

bool H2Session::is_over_age() const {
  auto age = room_.options.limits.age;
  return age.count() > 0 && room_.loop.now() - opened_ >= age;
}

// The session answers by itself, and drops what still comes of the request.
void H2Session::refuse(H2Exchange& exchange, const Status& status, const std::string& id) {
  exchange.end_handler(status);
  std::string body;
  ResponseHead head = room_.error_head(status, id, exchange.head().fields, body);
  exchange.send_head(head);
  exchange.send(std::move(body));
  exchange.finish(Fields{});
}

void H2Session::on_data(H2Exchange& exchange, std::string_view bytes) {
  exchange.read_since = room_.loop.now();
  exchange.sends_continue = false;
  if (exchange.has_ended() || exchange.handler() == nullptr) {
    drop(exchange, bytes.size());
    return;
  }
  exchange.unconsumed += bytes.size();
  exchange.on_body(bytes);
}

// The rest of a body whose answer was early is read and dropped, within bounds, and the client told to stop only after
// them (RFC 9113 section 8.1): clients are known that forget an answer when a reset follows it at once.
void H2Session::drop(H2Exchange& exchange, size_t bytes) {
  exchange.dropped += bytes;
  if (exchange.dropped <= room_.options.limits.dropped_stream_body) {
    codec_.consume_stream(exchange.stream, bytes);
  } else if (exchange.drops_rest()) {
    answers_.reset(exchange, static_cast<uint32_t>(H2Error::None));
  }
}

bool H2Session::on_data_frame(size_t bytes, bool ends) {
  return limits_.on_data_received(bytes, ends) || fail(H2Error::EnhanceYourCalm);
}

void H2Session::on_request_end(H2Exchange& exchange) {
  exchange.request_ended = true;
  exchange.sends_continue = false;
  if (exchange.handler() != nullptr && !exchange.has_ended()) {
    exchange.handler()->on_request_end(exchange.reading().trailers());
  }
}

void H2Session::on_body_consumed(H2Exchange& exchange, size_t bytes) {
  bytes = std::min(bytes, exchange.unconsumed);
  exchange.unconsumed -= bytes;
  if (room_.bodies_paused) {
    exchange.withheld += bytes;
    return;
  }
  codec_.consume_stream(exchange.stream, bytes);
  exchange.read_since = room_.loop.now();
  room_.loop.mark(*this);
}

void H2Session::on_answer_changed(H2Exchange& exchange) {
  answers_.note(exchange);
  room_.loop.mark(*this);
}

void H2Session::flush() {
  requests_this_turn_ = 0;
  if (phase_ == Phase::Ended || phase_ == Phase::Lingering) {
    return;
  }
  if (!input_.empty() && phase_ == Phase::Open) {
    std::string bytes = std::move(input_);
    input_.clear();
    transport_->resume_reading();
    read(bytes);
  }
  if (phase_ == Phase::Ended || transport_->queued() > 0) {
    return;  // on_transport_drained marks
  }
  answers_.submit_changed();
  pull_all();
  if (transport_->queued() > 0) {
    return;
  }
  settle();
  if (phase_ != Phase::Ended && !codec_.wants_read() && !codec_.wants_write()) {
    linger();
  }
}

void H2Session::pull_all() {
  std::string& out = room_.scratch;
  out.clear();
  size_t max = room_.options.limits.write_per_turn;
  while (out.size() < max) {
    std::string_view piece = codec_.pull();
    if (piece.empty()) {
      break;
    }
    out.append(piece);
  }
  if (!out.empty()) {
    wrote_since_ = room_.loop.now();
    transport_->write(out);
    untaken_ = transport_->untaken();
  }
  if (out.size() >= max && transport_->queued() == 0) {
    room_.loop.mark(*this);
  }
}

bool H2Session::on_frame_sent(H2Exchange* exchange, const H2SentFrame& frame) {
  if (frame.type == kRstStream) {
    // After its answer a request may end as it likes: nobody works for it any more.
    bool is_over = exchange != nullptr && (exchange->is_reset || exchange->has_left_end);
    bool is_fault = frame.error != 0 && !is_over;
    return !is_fault || limits_.on_own_reset(room_.loop.now()) || fail(H2Error::EnhanceYourCalm);
  }
  if (frame.type == kData) {
    limits_.on_data_sent(frame.bytes);
  }
  if (exchange != nullptr && (frame.type == kData || frame.type == kHeaders)) {
    answers_.on_sent(*exchange, frame.type == kHeaders, (frame.flags & kEndStream) != 0);
    if (answers_.has_changes()) {
      room_.loop.mark(*this);
    }
  }
  return true;
}

void H2Session::on_stream_close(H2Exchange& exchange, uint32_t error) {
  Status status;
  if (!exchange.has_left_end) {
    bool is_ours = exchange.is_cut();
    status = is_ours ? proxy_error(Code::Aborted, "the answer was cut")
                     : client_gone("the stream was reset with error " + std::to_string(error));
  }
  if (reading_head_ == &exchange) {
    reading_head_ = nullptr;
  }
  if (!exchange.head_ended) {
    RequestHead& head = exchange.reading().request();
    head.version = HttpVersion::Http2;
    room_.tell_refused(status_of(Refusal{400, "a malformed request head: its stream was reset"}), head,
                       transport_->peer(), {});
  }
  idle_since_ = room_.loop.now();
  exchanges_.close(exchange, std::move(status));
}

// Only outside the codec.
void H2Session::settle() {
  bool all_bytes_left = transport_->queued() == 0;
  exchanges_.settle(all_bytes_left);
  if (all_bytes_left) {
    exchanges_.tell_send_ready();
  }
}

void H2Session::on_transport_drained() {
  if (phase_ != Phase::Ended) {
    settle();
    room_.loop.mark(*this);
  }
}

}  // namespace transom
