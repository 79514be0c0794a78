#include "backend/replica.h"

#include <algorithm>

namespace transom {
namespace {

bool is_fresh(const std::unique_ptr<Channel>& channel) { return channel->is_open() && !channel->is_worn(); }

}  // namespace

Replica::Replica(ChannelTools& tools, const ReplicaOptions& options, size_t index, BackendState& state,
                 BackendObserver* observer, ReplicaEvents& events)
    : tools_(tools),
      options_(options),
      index_(index),
      state_(state),
      observer_(observer),
      events_(events),
      line_(state),
      backoff_(tools.limits, std::random_device()()),
      retry_timer_(tools.loop, [this] { on_retry_time(); }),
      surplus_timer_(tools.loop, [this] { close_surplus(); }),
      keepalive_time_(tools.limits.keepalive_time) {}

Replica::~Replica() {
  if (is_up_) {
    state_.worker_down(index_);
  }
}

void Replica::open() { open_channel(); }

void Replica::try_now() {
  if (is_up_ || opening_ != nullptr || !retry_timer_.is_active()) {
    return;
  }
  retry_timer_.start_at(std::max(tools_.loop.now(), attempt_begun_ + tools_.limits.attempt_pause));
  has_failed_ = false;  // calls may wait for this attempt
  events_.on_replica_changed(*this);
}

std::unique_ptr<ChannelCall> Replica::start(const CallHead& head, CallHandler& handler, SendQueue queue) {
  auto call = std::make_unique<ChannelCall>(head, handler, options_.name, tools_.limits, std::move(queue));
  Channel* channel = line_.empty() ? find_channel() : nullptr;
  if (channel == nullptr) {
    call->wait_in(line_);
    open_another();
    return call;
  }
  if (channel->unsent_bytes() > tools_.limits.unsent_bytes_before_new) {
    open_another();
  }
  call->go_by(*channel);
  return call;
}

// The first with room: few channels put more calls into one write. One with much to send only if all have.
Channel* Replica::find_channel() {
  Channel* best = nullptr;
  for (const std::unique_ptr<Channel>& channel : channels_) {
    if (!channel->has_room()) {
      continue;
    }
    if (channel->unsent_bytes() <= tools_.limits.unsent_bytes_before_new) {
      return channel.get();
    }
    if (best == nullptr || channel->unsent_bytes() < best->unsent_bytes()) {
      best = channel.get();
    }
  }
  return best;
}

// Channels that only end what they have do not count.
void Replica::open_another() {
  const auto kept = std::count_if(channels_.begin(), channels_.end(), is_fresh);
  if (opening_ == nullptr && !retry_timer_.is_active() &&
      static_cast<size_t>(kept) < tools_.limits.channels_per_replica) {
    open_channel();
  }
}

void Replica::open_channel() {
  attempt_begun_ = tools_.loop.now();
  channels_.push_back(std::make_unique<Channel>(tools_, options_, keepalive_time_, static_cast<ChannelOwner&>(*this)));
  opening_ = channels_.back().get();
  opening_->open();
}

void Replica::on_channel_open(Channel& /*channel*/) {
  opening_ = nullptr;
  backoff_.reset();
  has_failed_ = false;
  last_error_.clear();
  retire_worn();
  if (channels_.size() > 1 && !surplus_timer_.is_active()) {
    surplus_timer_.start(tools_.limits.surplus_channel_idle);
  }
  update_up();
}

void Replica::on_channel_room(Channel& channel) {
  while (!line_.empty() && channel.has_room()) {
    line_.front().go_by(channel);
  }
  if (!line_.empty()) {
    open_another();
  }
}

void Replica::on_channel_stream(Channel& /*channel*/) {
  if (observer_ != nullptr) {
    observer_->on_replica_call_begin(options_.name);
  }
}

void Replica::on_channel_worn(Channel& /*channel*/) {
  if (!retire_worn()) {
    open_another();
  }
}

bool Replica::retire_worn() {
  if (std::none_of(channels_.begin(), channels_.end(), is_fresh)) {
    return false;
  }
  for (const std::unique_ptr<Channel>& channel : channels_) {
    if (channel->is_open() && channel->is_worn()) {
      channel->retire();
    }
  }
  return true;
}

void Replica::on_channel_draining(Channel& /*channel*/) {
  update_up();
  restore();
}

void Replica::on_channel_dead(Channel& channel, const Status& reason) {
  auto place = std::find_if(channels_.begin(), channels_.end(),
                            [&](const std::unique_ptr<Channel>& held) { return held.get() == &channel; });
  tools_.loop.bury(std::move(*place));
  channels_.erase(place);
  if (channel.was_told_to_calm()) {
    keepalive_time_ *= 2;
  }
  if (!reason.ok()) {
    last_error_ = reason.message;
    if (observer_ != nullptr) {
      observer_->on_channel_failed(options_.name, reason.message);
    }
  }
  if (opening_ == &channel) {
    opening_ = nullptr;
    retry_timer_.start_at(attempt_begun_ + backoff_.next());
    if (!is_up_) {
      set_failed(reason.message);
    }
    return;
  }
  update_up();
  restore();
}

// At once, but for a replica that accepts and closes again and again: that is tried no more often than one that
// refuses.
void Replica::restore() {
  if (is_up_ || opening_ != nullptr) {
    return;
  }
  TimePoint earliest = attempt_begun_ + tools_.limits.backoff_min;
  bool is_short_lived = earliest > tools_.loop.now();
  bool may_open = !retry_timer_.is_active() && !(is_short_lived && was_short_lived_);
  was_short_lived_ = is_short_lived;
  if (may_open) {
    open_channel();
    return;
  }
  if (!retry_timer_.is_active()) {
    retry_timer_.start_at(earliest);
  }
  set_failed(last_error_.empty() ? "going away" : last_error_);
}

void Replica::on_retry_time() {
  if (!is_up_ || !line_.empty()) {
    open_channel();
  }
}

void Replica::set_failed(const std::string& reason) {
  has_failed_ = true;
  last_error_ = reason;
  events_.on_replica_changed(*this);
}

void Replica::update_up() {
  bool is_up = std::any_of(channels_.begin(), channels_.end(),
                           [](const std::unique_ptr<Channel>& channel) { return channel->is_open(); });
  if (is_up == is_up_) {
    return;
  }
  is_up_ = is_up;
  events_.on_replica_changed(*this);
  if (observer_ != nullptr) {
    observer_->on_replica_up(options_.name, is_up);
  }
  if (is_up) {
    state_.worker_up(index_);
    return;
  }
  state_.worker_down(index_);
  Status reason = replica_error(Code::Unavailable, last_error_.empty() ? "going away" : last_error_);
  while (!line_.empty()) {
    line_.front().end_broken(reason, Sent::No);
  }
}

void Replica::close_surplus() {
  auto open = std::count_if(channels_.begin(), channels_.end(),
                            [](const std::unique_ptr<Channel>& channel) { return channel->is_open(); });
  TimePoint idle_before = tools_.loop.now() - tools_.limits.surplus_channel_idle;
  // From the last, since the first are used first; one that closes leaves the list.
  for (size_t i = channels_.size(); i > 0 && open > 1; --i) {
    Channel& channel = *channels_[i - 1];
    if (channel.is_open() && channel.calls() == 0 && channel.idle_since() <= idle_before) {
      channel.close();
      --open;
    }
  }
  if (open > 1) {
    surplus_timer_.start(tools_.limits.surplus_channel_idle);
  }
}

void Replica::end_use(Code code, TimePoint opened_at) {
  state_.end_call(index_);
  if (observer_ != nullptr && opened_at != TimePoint::max()) {
    observer_->on_replica_call_end(options_.name, code, tools_.loop.now() - opened_at);
  }
}

}  // namespace transom
