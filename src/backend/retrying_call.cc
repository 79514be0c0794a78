#include "backend/retrying_call.h"

#include <algorithm>

#include "backend/replica_set.h"

namespace transom {
namespace {

const std::string kNoReplica;

}  // namespace

RetryingCall::RetryingCall(ReplicaSet& set, CallHead head, CallHandler& handler)
    : set_(set),
      head_(std::move(head)),
      handler_(&handler),
      queue_(set.account(), set.limits().retry_buffer),
      timer_(set.loop(), [this] { on_timer(); }) {
  if (head_.deadline != TimePoint::max()) {
    timer_.start_at(head_.deadline);
  }
}

RetryingCall::~RetryingCall() {
  if (is_waiting_) {
    set_.stop_waiting(*this);
  }
  end_use(Code::Cancelled);
}

void RetryingCall::place() {
  if (head_.deadline <= set_.loop().now()) {
    return;  // the timer is due
  }
  bool is_full = false;
  while (Replica* replica = set_.pick(tried_)) {
    if (!replica->is_full()) {
      start_on(*replica);
      return;
    }
    is_full = true;
    tried_.push_back(replica->index());
  }
  if (is_full) {
    refuse("the replicas");
    return;
  }
  // Nobody else is there: one that did not process it gets a second chance.
  Replica* again = set_.pick({});
  if (again != nullptr && !again->is_full()) {
    start_on(*again);
  } else if (again != nullptr || !set_.may_come_up()) {
    fail_later(last_status_ ? *last_status_ : set_.none_up());
  } else if (!set_.wait(*this)) {
    refuse("a replica");
  }
}

void RetryingCall::start_on(Replica& replica) {
  ++attempts_;
  last_ = &replica;
  used_ = &replica;
  replica.begin_use();
  inner_ = replica.start(head_, *this, std::move(queue_));
}

size_t RetryingCall::send(std::string&& bytes, bool end) {
  if (inner_ != nullptr) {
    return inner_->send(std::move(bytes), end);
  }
  if (handler_ == nullptr || failure_) {
    return 0;
  }
  queue_.push(std::move(bytes));
  if (end) {
    queue_.end();
  }
  return queue_.size();
}

void RetryingCall::consume(size_t bytes) {
  if (inner_ != nullptr) {
    inner_->consume(bytes);
  }
}

size_t RetryingCall::buffered() const { return inner_ != nullptr ? inner_->buffered() : queue_.size(); }

const std::string& RetryingCall::replica() const { return last_ != nullptr ? last_->name() : kNoReplica; }

void RetryingCall::on_call_head(const Fields& fields) { handler_->on_call_head(fields); }

void RetryingCall::on_call_bytes(std::string_view bytes) { handler_->on_call_bytes(bytes); }

void RetryingCall::on_call_send_ready() { handler_->on_call_send_ready(); }

void RetryingCall::on_call_end(const CallEnd& call_end) {
  end_use(call_end.status.code);
  if (may_retry(call_end)) {
    SendQueue queue = inner_->take_queue();
    if (queue.rewind()) {
      queue_ = std::move(queue);
      tried_.push_back(last_->index());
      last_status_ = call_end.status;
      if (set_.observer() != nullptr) {
        set_.observer()->on_retry(last_->name(), call_end.status.message);
      }
      set_.loop().bury(std::move(inner_));
      place();
      return;
    }
  }
  end(call_end);
}

bool RetryingCall::may_retry(const CallEnd& call_end) const {
  size_t attempts_max = std::max<size_t>(2, set_.replicas());
  return call_end.sent != Sent::Maybe && attempts_ < attempts_max && head_.deadline > set_.loop().now();
}

void RetryingCall::end_use(Code code) {
  if (used_ != nullptr) {
    std::exchange(used_, nullptr)->end_use(code, inner_->opened_at());
  }
}

void RetryingCall::refuse(const std::string& awaited) {
  if (set_.observer() != nullptr) {
    set_.observer()->on_call_refused();
  }
  fail_later(replica_error(Code::Unavailable, "too many calls wait for " + awaited + " of backend " + set_.name()));
}

void RetryingCall::fail_later(Status status) {
  failure_ = std::move(status);
  timer_.start(std::chrono::nanoseconds(0));
}

void RetryingCall::on_timer() {
  CallEnd call_end;
  call_end.replica = replica();
  call_end.sent = inner_ != nullptr ? inner_->sent() : Sent::No;
  if (failure_) {
    call_end.status = std::move(*failure_);
  } else {
    std::string where = inner_ != nullptr ? "replica " + inner_->replica() + ": " : "";
    call_end.status = proxy_error(Code::DeadlineExceeded, where + "the deadline passed");
  }
  end_use(call_end.status.code);
  left_at_ = left_at();
  inner_.reset();
  if (is_waiting_) {
    set_.stop_waiting(*this);
  }
  end(call_end);
}

void RetryingCall::end(const CallEnd& call_end) {
  timer_.stop();
  std::exchange(handler_, nullptr)->on_call_end(call_end);
}

}  // namespace transom
