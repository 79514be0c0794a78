#include "backend/channel.h"

#include <algorithm>
#include <utility>

#include "backend/channel_call.h"
#include "backend/grpc_answer.h"
#include "backend/request_fields.h"
#include "base/check.h"
#include "base/grpc_timeout.h"

namespace transom {
namespace {

constexpr size_t kWriteBytesPerTurn = SessionLimits().write_per_turn;  // the same on both sides
constexpr size_t kScratchBytesKept = 512 * kKiB;
constexpr size_t kGoawayDebugBytesMax = 200;
constexpr uint32_t kCancel = 8;  // RFC 9113 section 7
constexpr uint32_t kEnhanceYourCalm = 11;

Status unavailable(std::string reason) { return replica_error(Code::Unavailable, std::move(reason)); }

// gRPC names the authority of a unix socket so.
std::string authority_of(const Address& address) {
  return address.kind == Address::Kind::Unix ? "localhost" : address.format();
}

void take_out(std::vector<ChannelCall*>& list, ChannelCall& call) {
  std::replace(list.begin(), list.end(), &call, static_cast<ChannelCall*>(nullptr));
}

}  // namespace

Channel::Channel(ChannelTools& tools, const ReplicaOptions& replica, std::chrono::milliseconds keepalive_time,
                 ChannelOwner& owner)
    : tools_(tools),
      replica_(replica),
      authority_(authority_of(replica.address)),
      owner_(owner),
      h2_(tools.limits, *this),
      streams_max_(tools.limits.calls_per_channel),
      timer_(tools.loop, [this] { on_timer(); }),
      keepalive_time_(keepalive_time),
      resets_(tools.limits.resets, tools.limits.resets_span) {}

Channel::~Channel() { check(calls_.empty(), "a channel's calls end before it"); }

void Channel::open() {
  state_ = State::Opening;
  timer_.start(tools_.limits.connect_timeout);
  connector_ = Connector::make(tools_.loop);
  connector_->connect(replica_.address, tools_.limits.connect_timeout,
                      [this](Result<std::unique_ptr<Transport>> transport) { on_connected(std::move(transport)); });
}

void Channel::on_connected(Result<std::unique_ptr<Transport>> transport) {
  connector_.reset();
  if (state_ == State::Dead) {
    return;
  }
  if (!transport.ok()) {
    die(transport.status());
    return;
  }
  transport_ = std::move(*transport);
  transport_->set_handler(this);
  transport_->resume_reading();
  mark();
}

bool Channel::has_room() const {
  return state_ == State::Open && !is_worn_ && streams_ + unopened_.size() < streams_max_;
}

void Channel::retire() {
  state_ = State::Draining;
  mark();
}

void Channel::add(ChannelCall& call) {
  call.set_place(calls_.size());
  calls_.push_back(&call);
  unopened_.push_back(&call);
  unsent_ += call.buffered();
  mark();
}

void Channel::remove(ChannelCall& call, bool is_cancelled) {
  unsent_ -= call.buffered();
  calls_.back()->set_place(call.place());
  std::swap(calls_[call.place()], calls_.back());
  calls_.pop_back();
  if (call.stream_id() == 0) {
    take_out(unopened_, call);
  } else if (is_cancelled) {
    h2_.reset(call.stream_id(), kCancel);
    mark();
  }
  if (!ready_.empty()) {
    take_out(ready_, call);
  }
  if (calls_.empty()) {
    idle_since_ = tools_.loop.now();
  }
  if (is_cancelled && call.stream_id() != 0) {
    count_reset();
  }
}

void Channel::count_reset() {
  const bool is_worn = resets_.add(tools_.loop.now());
  if (is_worn && !is_worn_ && state_ == State::Open) {
    is_worn_ = true;
    owner_.on_channel_worn(*this);
  }
}

void Channel::on_call_pushed(ChannelCall& call, size_t bytes) {
  unsent_ += bytes;
  if (call.stream_id() != 0) {
    h2_.resume(call.stream_id());
  }
  mark();
}

void Channel::on_call_sent(ChannelCall& call, size_t bytes) {
  unsent_ -= bytes;
  if (call.wants_ready()) {
    ready_.push_back(&call);
  }
}

void Channel::consume(ChannelCall& call, size_t bytes) {
  h2_.consume(call.stream_id(), bytes);
  if (h2_.wants_write()) {
    mark();
  }
}

void Channel::set_window(ChannelCall& call, size_t bytes) {
  h2_.set_window(call.stream_id(), bytes);
  mark();
}

void Channel::flush() {
  if (transport_ == nullptr || state_ == State::Dead || transport_->queued() > 0) {
    return;  // on_transport_drained marks anew
  }
  open_waiting_streams();
  std::string& out = tools_.scratch;
  out.clear();
  Status status = h2_.produce(out, kWriteBytesPerTurn);
  if (!status.ok()) {
    die(status);
    return;
  }
  if (!out.empty()) {
    transport_->write(out);
  }
  if (out.capacity() > kScratchBytesKept) {
    std::string().swap(out);
  }
  tell_ready();
  settle();
}

void Channel::open_waiting_streams() {
  for (size_t i = 0; i < unopened_.size(); ++i) {
    if (ChannelCall* call = std::exchange(unopened_[i], nullptr); call != nullptr) {
      open_stream(*call);
    }
  }
  unopened_.clear();
}

void Channel::open_stream(ChannelCall& call) {
  const CallHead& head = call.head();
  std::string timeout;
  if (head.deadline != TimePoint::max()) {
    timeout = format_grpc_timeout(std::max(head.deadline - tools_.loop.now(), Clock::duration(1)));
  }
  tools_.fields.clear();
  list_request_fields(head, {.authority = authority_, .user_agent = tools_.user_agent, .timeout = timeout},
                      tools_.fields);
  int32_t id = h2_.open(tools_.fields, call);
  if (id > 0) {
    ++streams_;
    call.on_stream_open(id);
    owner_.on_channel_stream(*this);
    return;
  }
  // After 2^30 calls: this channel has no more stream ids.
  if (state_ == State::Open) {
    state_ = State::Draining;
    owner_.on_channel_draining(*this);
  }
  call.end_broken(unavailable("the channel has no more streams"), Sent::No);
}

void Channel::tell_ready() {
  for (size_t i = 0; i < ready_.size(); ++i) {
    if (ChannelCall* call = ready_[i]; call != nullptr) {
      call->tell_ready();
    }
  }
  ready_.clear();
}

void Channel::on_transport_bytes(std::string_view bytes) {
  if (state_ == State::Dead) {
    return;
  }
  last_read_ = tools_.loop.now();
  is_ping_open_ = false;
  Status status = h2_.receive(bytes);
  if (!status.ok()) {
    die(status);
    return;
  }
  settle();
}

// After the vendor's code returned: what its events asked for.
void Channel::settle() {
  if (state_ == State::Draining && calls_.empty() && (streams_ == 0 || h2_.is_over())) {
    die(Status());
  } else if (h2_.is_over()) {
    die(unavailable("HTTP/2 error: " + h2_.last_error()));
  } else if (h2_.wants_write()) {
    mark();
  }
}

void Channel::on_transport_eof() { die(unavailable("closed by the replica")); }

void Channel::on_transport_drained() { mark(); }

void Channel::on_transport_error(const Status& status) {
  // The transport names its peer, as whoever hears of this does.
  std::string prefix = transport_->peer() + ": ";
  bool has_prefix = status.message.starts_with(prefix);
  die(unavailable(has_prefix ? status.message.substr(prefix.size()) : status.message));
}

void Channel::on_h2_settings(uint32_t streams_max) {
  streams_max_ = std::min<size_t>(streams_max, tools_.limits.calls_per_channel);
  if (state_ == State::Opening) {
    state_ = State::Open;
    idle_since_ = tools_.loop.now();
    timer_.stop();
    if (keepalive_time_.count() > 0) {
      timer_.start(keepalive_time_);
    }
    owner_.on_channel_open(*this);
  }
  if (has_room()) {
    owner_.on_channel_room(*this);
  }
}

void Channel::on_h2_goaway(uint32_t h2_error, std::string_view debug) {
  was_told_to_calm_ = was_told_to_calm_ || (h2_error == kEnhanceYourCalm && debug == "too_many_pings");
  if (state_ != State::Open) {
    return;
  }
  state_ = State::Draining;
  owner_.on_channel_draining(*this);
  std::string reason = "going away (" + reset_name(h2_error) + ")";
  if (!debug.empty()) {
    reason += ": " + legible_text(debug.substr(0, kGoawayDebugBytesMax));
  }
  // Streams above the last one are closed by nghttp2, as refused; these never were streams.
  for (size_t i = 0; i < unopened_.size(); ++i) {
    if (ChannelCall* call = std::exchange(unopened_[i], nullptr); call != nullptr) {
      call->end_broken(unavailable(reason), Sent::No);
    }
  }
  unopened_.clear();
}

void Channel::on_h2_stream_gone() {
  --streams_;
  if (has_room()) {
    owner_.on_channel_room(*this);
  }
}

void Channel::on_timer() {
  if (state_ == State::Opening) {
    die(unavailable(transport_ == nullptr ? "connect timed out" : "no HTTP/2 SETTINGS came in time"));
    return;
  }
  keep_alive();
}

void Channel::keep_alive() {
  TimePoint quiet_until = last_read_ + keepalive_time_;
  if (is_ping_open_) {
    die(unavailable("did not answer a keepalive PING"));
  } else if (quiet_until > tools_.loop.now()) {
    timer_.start_at(quiet_until);
  } else if (calls_.empty()) {
    timer_.start(keepalive_time_);
  } else {
    is_ping_open_ = true;
    h2_.ping();
    mark();
    timer_.start(tools_.limits.keepalive_timeout);
  }
}

void Channel::die(const Status& reason) {
  if (state_ == State::Dead) {
    return;
  }
  state_ = State::Dead;
  timer_.stop();
  owner_.on_channel_dead(*this, reason);
  end_all_calls(reason);
}

void Channel::end_all_calls(const Status& reason) {
  uint64_t handed = h2_.produced_bytes() - (transport_ != nullptr ? transport_->queued() : 0);
  while (!calls_.empty()) {
    ChannelCall& call = *calls_.back();
    call.end_broken(reason, call.has_left(handed) ? Sent::Maybe : Sent::No);
  }
}

}  // namespace transom
