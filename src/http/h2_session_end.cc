// The end of an HTTP/2 session and of its streams: draining, a client that goes, and what is not waited for.
#include <algorithm>
#include <utility>

#include "http/h2_session_state.h"

namespace transom {
namespace {

constexpr std::chrono::milliseconds kSweepMax{1'000};
constexpr std::chrono::milliseconds kSweepMin{10};

Status client_gone(std::string reason) { return client_error(Code::Cancelled, std::move(reason)); }

}  // namespace

void H2Session::drain() {
  if (phase_ == Phase::Open && !is_draining_) {
    start_goaway();
  }
}

void H2Session::close() {
  if (phase_ == Phase::Ended) {
    return;
  }
  phase_ = Phase::Ended;
  exchanges_.close_all(client_gone("the session was closed"));
  exchanges_.settle(true);
}

void H2Session::on_transport_eof() { end(client_gone("the client closed the session")); }
void H2Session::on_transport_error(const Status& status) { end(client_gone(status.message)); }

void H2Session::start_goaway() {
  is_draining_ = true;
  drain_since_ = room_.loop.now();
  codec_.submit_shutdown_notice();
  codec_.submit_ping();
  room_.loop.mark(*this);
  set_deadline();
}

void H2Session::on_ping_ack() {
  if (is_draining_ && !has_said_goodbye_) {
    finish_goaway();
  }
}

void H2Session::finish_goaway() {
  has_said_goodbye_ = true;
  codec_.submit_goaway(H2Error::None);
  room_.loop.mark(*this);
}

void H2Session::linger() {
  phase_ = Phase::Lingering;
  input_.clear();
  input_charge_.set(0);
  exchanges_.close_all(client_gone("the session ended"));
  exchanges_.settle(true);
  transport_->shutdown();
  transport_->resume_reading();
  deadline_.set(room_.loop.now() + room_.options.limits.linger);
}

void H2Session::end(const Status& status) {
  if (phase_ == Phase::Ended) {
    return;
  }
  phase_ = Phase::Ended;
  exchanges_.close_all(status);
  exchanges_.settle(true);
  room_.owner.end(*this);
}

// One look at all that may take too long: at most a few hundred comparisons each second, and none while idle.
void H2Session::sweep() {
  if (phase_ == Phase::Ended) {
    return;
  }
  const SessionLimits& limits = room_.options.limits;
  TimePoint now = room_.loop.now();
  if (phase_ == Phase::Lingering) {
    end(client_gone("the client took too long to close the session"));
    return;
  }
  if (is_write_stuck(now)) {
    transport_->reset_on_close();
    end(client_gone("the client took too long to read"));
    return;
  }
  if (!has_settings_ack_ && now - opened_ >= limits.settings_timeout) {
    fail(H2Error::SettingsTimeout);
  } else if (reading_head_ != nullptr && now - head_since_ >= limits.header_timeout) {
    fail(H2Error::EnhanceYourCalm);
  } else if (exchanges_.is_empty() && now - idle_since_ >= limits.idle) {
    fail(H2Error::None);
  } else if (!is_draining_ && is_over_age()) {
    start_goaway();
  } else if (is_draining_ && !has_said_goodbye_ && now - drain_since_ >= limits.goaway_grace) {
    finish_goaway();
  }
  for (size_t i = exchanges_.size(); i > 0; --i) {
    sweep_exchange(exchanges_[i - 1], now);
  }
  room_.loop.mark(*this);
  set_deadline();
}

void H2Session::note_cut_answers() {
  for (size_t i = 0; i < exchanges_.size(); ++i) {
    if (H2Exchange& exchange = exchanges_[i]; exchange.is_cut() && !exchange.is_reset) {
      on_answer_changed(exchange);
    }
  }
}

void H2Session::sweep_exchange(H2Exchange& exchange, TimePoint now) {
  const SessionLimits& limits = room_.options.limits;
  if (exchange.is_reset || !exchange.head_ended) {
    return;
  }
  if (exchange.drops_rest() && has_dropped_enough(exchange, now)) {
    answers_.reset(exchange, static_cast<uint32_t>(H2Error::None));
    return;
  }
  bool may_send = exchange.unconsumed + exchange.withheld < room_.options.exchange_window;
  bool awaits_body = !exchange.request_ended && !exchange.has_ended() && !exchange.may_pause && may_send && !room_.bodies_paused;
  if (awaits_body && now - exchange.read_since >= limits.body_timeout) {
    Status status = status_of(Refusal{408, "the request body took too long"});
    if (exchange.is_answered()) {
      exchange.abort(static_cast<uint32_t>(H2Error::Cancel));
      exchange.end_handler(status);
    } else {
      const ExchangeHandler* handler = exchange.handler();
      refuse(exchange, status, handler != nullptr ? handler->request_id() : room_.error_id(exchange.head().fields));
    }
    return;
  }
  bool awaits_window =
      exchange.is_submitted && !exchange.has_left_end && (!exchange.body().empty() || exchange.has_ended());
  if (awaits_window && transport_->queued() == 0 && now - exchange.wrote_since >= limits.write_timeout) {
    answers_.reset(exchange, static_cast<uint32_t>(H2Error::Cancel));
  }
}

bool H2Session::has_dropped_enough(const H2Exchange& exchange, TimePoint now) const {
  const SessionLimits& limits = room_.options.limits;
  return exchange.dropped > limits.dropped_stream_body || now - exchange.read_since >= limits.linger ||
         now - exchange.left_at >= limits.body_timeout;
}

bool H2Session::is_write_stuck(TimePoint now) {
  size_t untaken = transport_->untaken();
  if (untaken == 0 || untaken < untaken_) {
    untaken_ = untaken;
    wrote_since_ = now;
    return false;
  }
  return now - wrote_since_ >= room_.options.limits.write_timeout;
}

void H2Session::set_deadline() {
  const SessionLimits& limits = room_.options.limits;
  if (phase_ == Phase::Lingering || phase_ == Phase::Ended) {
    return;
  }
  TimePoint now = room_.loop.now();
  bool is_quiet = exchanges_.is_empty() && has_settings_ack_ && !is_draining_ && transport_->queued() == 0;
  if (is_quiet) {
    TimePoint due = idle_since_ + limits.idle;
    deadline_.set(limits.age.count() > 0 ? std::min(due, opened_ + limits.age) : due);
    return;
  }
  std::chrono::milliseconds least = std::min<std::chrono::milliseconds>(limits.body_timeout, limits.write_timeout);
  least = std::min<std::chrono::milliseconds>(
      {least, limits.header_timeout, limits.settings_timeout, limits.goaway_grace, limits.idle, limits.linger});
  deadline_.set(now + std::clamp(least / 4, kSweepMin, kSweepMax));
}

}  // namespace transom
