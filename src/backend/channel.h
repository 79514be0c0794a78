// A Channel is one persistent HTTP/2 session to one replica, on the worker's loop. It connects once, is open when the
// replica's SETTINGS came, carries calls within the replica's own bound, drains after a GOAWAY, and dies with its
// transport; its owner then makes another. One that reset too many calls of late is worn: its owner drains it once
// another is open. Owned by a Replica, which buries it when it is told that it died.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "backend/backend_options.h"
#include "backend/h2_client.h"
#include "backend/recent_events.h"
#include "base/memory_account.h"
#include "net/connector.h"
#include "net/timer.h"
#include "net/transport.h"

namespace transom {

class Channel;
class ChannelCall;

// What all channels of one backend and worker share; outlives them.
struct ChannelTools {
  Loop& loop;
  const ChannelLimits& limits;
  MemoryAccount* account;  // may be null
  std::string user_agent;
  std::string scratch;        // bytes of the running flush
  std::vector<Field> fields;  // of the request being opened
};

class ChannelOwner {
 public:
  virtual void on_channel_open(Channel& channel) = 0;
  // A call gave its place free, or the replica allows more.
  virtual void on_channel_room(Channel& channel) = 0;
  // A call got its stream.
  virtual void on_channel_stream(Channel& channel) = 0;
  // It has reset so many calls that the replica might soon end the session: it has no room any more.
  virtual void on_channel_worn(Channel& channel) = 0;
  // GOAWAY: it takes no more calls, and dies when its calls have ended.
  virtual void on_channel_draining(Channel& channel) = 0;
  // Last; before its calls end. Ok: drained. The channel must be buried, not destroyed.
  virtual void on_channel_dead(Channel& channel, const Status& reason) = 0;

 protected:
  ~ChannelOwner() = default;
};

class Channel final : private Flushable, private TransportHandler, private H2Events {
 public:
  // keepalive_time: 0 sends no PINGs.
  Channel(ChannelTools& tools, const ReplicaOptions& replica, std::chrono::milliseconds keepalive_time,
          ChannelOwner& owner);
  ~Channel() override;

  void open();
  // Needs calls() == 0.
  void close() { die(Status()); }
  bool is_open() const { return state_ == State::Open; }
  bool is_worn() const { return is_worn_; }
  // Takes no more calls, and dies when its calls have ended. Needs is_open(); the owner is not told that it drains.
  void retire();
  // Takes one more call now.
  bool has_room() const;
  size_t calls() const { return calls_.size(); }
  // Bytes of its calls that wait for windows or for the kernel.
  size_t unsent_bytes() const { return unsent_; }
  // The replica found our PINGs too many (gRPC proposal A8).
  bool was_told_to_calm() const { return was_told_to_calm_; }
  TimePoint idle_since() const { return idle_since_; }
  Loop& loop() { return tools_.loop; }

  // The rest is ChannelCall's.
  // Opens a stream for it in this turn's flush; needs has_room().
  void add(ChannelCall& call);
  // It ended, or (is_cancelled) its stream is to be reset.
  void remove(ChannelCall& call, bool is_cancelled);
  // Bytes or the end were pushed to its queue.
  void on_call_pushed(ChannelCall& call, size_t bytes);
  void on_call_sent(ChannelCall& call, size_t bytes);
  void consume(ChannelCall& call, size_t bytes);
  void set_window(ChannelCall& call, size_t bytes);

 private:
  enum class State : uint8_t { New, Opening, Open, Draining, Dead };

  void flush() override;
  void on_transport_bytes(std::string_view bytes) override;
  void on_transport_eof() override;
  void on_transport_drained() override;
  void on_transport_error(const Status& status) override;
  void on_h2_settings(uint32_t streams_max) override;
  void on_h2_goaway(uint32_t h2_error, std::string_view debug) override;
  void on_h2_stream_gone() override;

  void on_connected(Result<std::unique_ptr<Transport>> transport);
  void on_timer();
  void keep_alive();
  void count_reset();
  void mark() { tools_.loop.mark(*this); }
  void open_waiting_streams();
  void open_stream(ChannelCall& call);
  void tell_ready();
  void settle();
  void die(const Status& reason);
  void end_all_calls(const Status& reason);

  ChannelTools& tools_;
  const ReplicaOptions& replica_;
  const std::string authority_;
  ChannelOwner& owner_;
  State state_ = State::New;
  H2Client h2_;
  std::unique_ptr<Connector> connector_;
  std::unique_ptr<Transport> transport_;

  std::vector<ChannelCall*> calls_;
  std::vector<ChannelCall*> unopened_;  // of calls_, those whose stream is opened in the next flush; may hold null
  std::vector<ChannelCall*> ready_;     // of calls_, those whose handler waits for on_call_send_ready; may hold null
  size_t streams_ = 0;                  // opened and not gone; a reset stream counts until its frame has left
  size_t streams_max_;
  size_t unsent_ = 0;
  TimePoint idle_since_{};

  Timer timer_;  // bounds the opening, then keepalive
  std::chrono::milliseconds keepalive_time_;
  TimePoint last_read_{};
  bool is_ping_open_ = false;
  bool was_told_to_calm_ = false;
  RecentEvents resets_;
  bool is_worn_ = false;
};

}  // namespace transom
