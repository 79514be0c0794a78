// A ChannelCall is one RPC as one HTTP/2 stream of one Channel, or waiting for a channel with room. It checks the
// answer's head, turns trailers and resets into a CallEnd, and widens its window for a reader that proves fast. Owned
// by its user (a RetryingCall), destroyed before its Channel. Destroying it resets the stream with CANCEL. It keeps no
// deadline: who owns it does.
#pragma once

#include <cstdint>
#include <string>

#include "backend/call.h"
#include "backend/channel.h"
#include "backend/h2_client.h"
#include "backend/send_queue.h"
#include "backend/waiting_line.h"

namespace transom {

class ChannelCall final : public Call, public H2Stream {
 public:
  // `head`, `handler` and `replica` (its name) outlive it. What `queue` holds is sent first.
  ChannelCall(const CallHead& head, CallHandler& handler, const std::string& replica, const ChannelLimits& limits,
              SendQueue queue);
  ~ChannelCall() override;

  size_t send(std::string&& bytes, bool end) override;
  void consume(size_t bytes) override;
  size_t buffered() const override { return queue_.size(); }
  const std::string& replica() const override { return replica_; }
  TimePoint left_at() const override { return left_at_; }

  // After on_call_end: what was to be sent, for another try.
  SendQueue take_queue() { return std::move(queue_); }
  // When it got its stream; TimePoint::max() before.
  TimePoint opened_at() const { return opened_at_; }
  // Whether the replica can have seen it so far.
  Sent sent() const { return has_left() ? Sent::Maybe : Sent::No; }

  // Replica's and Channel's.
  void wait_in(WaitingLine& line);
  void go_by(Channel& channel);
  // The channel or the wait came to nothing: ends with UNAVAILABLE and "replica NAME: reason".
  void end_broken(const Status& reason, Sent sent);
  const CallHead& head() const { return head_; }
  void set_place(size_t place) { place_ = place; }
  size_t place() const { return place_; }
  void on_stream_open(int32_t id);
  int32_t stream_id() const { return stream_id_; }
  bool has_left() const { return left_at_ != TimePoint::max(); }
  // Its first byte is among the first `handed` ones of the channel.
  bool has_left(uint64_t handed) const { return has_left() && first_byte_ < handed; }
  bool wants_ready() const { return wants_ready_ && queue_.size() < kQueueHigh / 2; }
  void tell_ready();

 private:
  bool on_stream_field(std::string_view name, std::string_view value) override;
  void on_stream_fields_end(bool is_last) override;
  void on_stream_bytes(std::string_view bytes) override;
  void on_stream_end() override;
  void on_stream_close(uint32_t h2_error) override;
  void on_stream_leaving(uint64_t at) override;
  void on_stream_sent(size_t bytes) override;
  SendQueue& stream_queue() override { return queue_; }

  void on_answer_head();
  void on_trailers(bool is_trailers_only);
  // Ok if the head is one of gRPC.
  Status check_head() const;
  void leave(bool is_cancelled);
  void end(CallEnd&& end, bool is_cancelled);
  void fail(Code code, std::string reason, Sent sent, bool is_cancelled);
  void grow_window();
  void set_window(size_t bytes);

  const CallHead& head_;
  CallHandler* handler_;  // null after on_call_end
  const std::string& replica_;
  const ChannelLimits& limits_;
  SendQueue queue_;

  Channel* channel_ = nullptr;
  WaitingLine* line_ = nullptr;
  WaitingLine::Place line_place_;
  size_t place_ = 0;       // in its channel's list
  int32_t stream_id_ = 0;  // 0: no stream yet
  TimePoint opened_at_ = TimePoint::max();
  TimePoint left_at_ = TimePoint::max();
  uint64_t first_byte_ = 0;  // its number among all of the channel

  bool has_head_ = false;
  bool is_over_header_bytes_ = false;
  bool wants_ready_ = false;
  int http_status_ = 0;
  size_t field_bytes_ = 0;
  Fields fields_;

  // A sender stops above that, whatever the windows.
  static constexpr size_t kQueueHigh = Limits().exchange_window;

  size_t window_;
  size_t unconsumed_ = 0;
  size_t received_ = 0;    // since receive_begun_
  uint64_t consumed_ = 0;  // of the whole answer
  TimePoint receive_begun_{};
  TimePoint held_since_{};  // of what is unconsumed, the first
};

}  // namespace transom
