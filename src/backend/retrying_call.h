// A RetryingCall is what a user of a Backend holds: one call, whatever replicas it takes. It waits for a replica while
// some are in their first attempt to connect, starts a ChannelCall on the one picked, and starts again on another one
// if that replica provably never processed it, while the bytes sent so far are still held. It enforces the deadline.
// Owned by its user; destroying it cancels.
#pragma once

#include <list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "backend/call.h"
#include "backend/channel_call.h"
#include "backend/replica.h"
#include "backend/send_queue.h"
#include "net/timer.h"

namespace transom {

class ReplicaSet;

class RetryingCall final : public Call, private CallHandler {
 public:
  RetryingCall(ReplicaSet& set, CallHead head, CallHandler& handler);
  ~RetryingCall() override;

  size_t send(std::string&& bytes, bool end) override;
  void consume(size_t bytes) override;
  size_t buffered() const override;
  const std::string& replica() const override;
  TimePoint left_at() const override { return inner_ != nullptr ? inner_->left_at() : left_at_; }

  // Picks a replica and starts there, or waits, or will fail. Called once by the ReplicaSet, and again when a call that
  // waits may find one or has no more hope.
  void place();

 private:
  friend class ReplicaSet;  // its place in the list of waiting calls

  void on_call_head(const Fields& fields) override;
  void on_call_bytes(std::string_view bytes) override;
  void on_call_send_ready() override;
  void on_call_end(const CallEnd& end) override;

  void start_on(Replica& replica);
  bool may_retry(const CallEnd& end) const;
  void end_use(Code code);
  void refuse(const std::string& awaited);
  void fail_later(Status status);
  void on_timer();
  void end(const CallEnd& end);

  ReplicaSet& set_;
  const CallHead head_;
  CallHandler* handler_;  // null after on_call_end
  SendQueue queue_;       // while there is no inner call
  std::unique_ptr<ChannelCall> inner_;
  Replica* used_ = nullptr;  // counts this call
  TimePoint left_at_ = TimePoint::max();  // once the inner call is gone
  Replica* last_ = nullptr;
  std::vector<size_t> tried_;
  size_t attempts_ = 0;
  std::optional<Status> failure_;      // told by the timer
  std::optional<Status> last_status_;  // of the attempt before
  bool is_waiting_ = false;
  std::list<RetryingCall*>::iterator waiting_place_;
  Timer timer_;
};

}  // namespace transom
