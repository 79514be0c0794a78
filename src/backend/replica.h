// A Replica is this worker's channels to one replica: it keeps one open, with gRPC's connection back-off after failures
// and at once when an open one was lost, opens more when the calls are more than one carries, lets calls wait when that
// is not enough, and closes what it no longer needs. Owned by a ReplicaSet.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "backend/backend.h"
#include "backend/backoff.h"
#include "backend/channel.h"
#include "backend/channel_call.h"
#include "backend/waiting_line.h"

namespace transom {

class Replica;

class ReplicaEvents {
 public:
  // is_up() or has_failed() changed. No call was ended before it.
  virtual void on_replica_changed(Replica& replica) = 0;

 protected:
  ~ReplicaEvents() = default;
};

class Replica final : private ChannelOwner {
 public:
  // index: in the backend's options and state, which outlive it. observer may be null.
  Replica(ChannelTools& tools, const ReplicaOptions& options, size_t index, BackendState& state,
          BackendObserver* observer, ReplicaEvents& events);
  ~Replica();

  void open();
  // Ends a pause of the back-off, but for attempts closer together than a tenth of a second.
  void try_now();
  size_t index() const { return index_; }
  const std::string& name() const { return options_.name; }
  // A channel of this worker takes calls.
  bool is_up() const { return is_up_; }
  // Not up, and not in a first attempt to get up: last_error() says why.
  bool has_failed() const { return !is_up_ && has_failed_; }
  const std::string& last_error() const { return last_error_; }

  // As many calls wait as may.
  bool is_full() const { return line_.size() >= tools_.limits.waiting_calls; }
  // Needs is_up() and not is_full().
  std::unique_ptr<ChannelCall> start(const CallHead& head, CallHandler& handler, SendQueue queue);

  // A call picked this replica, whether it waits or not; and ended. opened_at: of its stream, TimePoint::max() if it got
  // none; then the observer has not heard of it.
  void begin_use() { state_.begin_call(index_); }
  void end_use(Code code, TimePoint opened_at);

 private:
  void on_channel_open(Channel& channel) override;
  void on_channel_room(Channel& channel) override;
  void on_channel_stream(Channel& channel) override;
  void on_channel_worn(Channel& channel) override;
  void on_channel_draining(Channel& channel) override;
  void on_channel_dead(Channel& channel, const Status& reason) override;

  Channel* find_channel();
  void open_another();
  void open_channel();
  // Drains the worn channels if calls can go elsewhere, and says so; until then they stand for the replica's being up.
  bool retire_worn();
  // Keeps one channel open or on the way.
  void restore();
  void update_up();
  void set_failed(const std::string& reason);
  void on_retry_time();
  void close_surplus();

  ChannelTools& tools_;
  const ReplicaOptions& options_;
  const size_t index_;
  BackendState& state_;
  BackendObserver* const observer_;
  ReplicaEvents& events_;

  std::vector<std::unique_ptr<Channel>> channels_;
  Channel* opening_ = nullptr;  // one at a time
  WaitingLine line_;
  Backoff backoff_;
  TimePoint attempt_begun_{};
  Timer retry_timer_;
  Timer surplus_timer_;
  std::chrono::milliseconds keepalive_time_;
  bool is_up_ = false;
  bool has_failed_ = false;
  bool was_short_lived_ = false;  // the last channel that was lost
  std::string last_error_;
};

}  // namespace transom
