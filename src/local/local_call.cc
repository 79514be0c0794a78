#include "local/local_call.h"

#include <chrono>
#include <utility>

#include "base/limits.h"
#include "protocol/grpc_frame.h"

namespace transom {
namespace {

const std::string kNoReplica;

Status unreadable() {
  return client_error(Code::ResourceExhausted,
                      "expected gRPC messages of at most " + std::to_string(kLocalMessageBytesMax) + " bytes");
}

}  // namespace

LocalCall::LocalCall(Loop& loop, const CallHead& head, CallHandler& handler, const LocalMethodMaker& make,
                     size_t window)
    : loop_(loop),
      handler_(handler),
      window_(window),
      began_(loop.now()),
      reader_(kLocalMessageBytesMax),
      method_(make(*this)),
      work_timer_(loop, [this] { work(); }),
      deadline_timer_(
          loop, [this] { end(proxy_error(Code::DeadlineExceeded, "the deadline passed before the call was over")); }) {
  reader_.on_head(head.metadata);
  if (head.deadline != TimePoint::max()) {
    deadline_timer_.start_at(head.deadline);
  }
}

const std::string& LocalCall::replica() const { return kNoReplica; }

size_t LocalCall::send(std::string&& bytes, bool end) {
  if (has_ended_ || !failure_.ok()) {
    return 0;
  }
  is_half_closed_ = is_half_closed_ || end;
  untaken_ += bytes.size();
  if (!reader_.on_bytes(bytes).ok()) {
    failure_ = unreadable();
  }
  was_full_ = was_full_ || buffered() > window_;
  work_timer_.start(std::chrono::nanoseconds(0));
  return buffered();
}

void LocalCall::consume(size_t bytes) {
  unconsumed_ -= bytes;
  if (buffered() > 0 || is_half_closed_) {
    work_timer_.start(std::chrono::nanoseconds(0));
  }
}

void LocalCall::work() {
  if (!failure_.ok()) {
    end(failure_);
    return;
  }
  take_messages();
  if (!has_ended_ && was_full_ && buffered() <= window_ / 2) {
    was_full_ = false;
    handler_.on_call_send_ready();
  }
}

void LocalCall::take_messages() {
  for (int left = kLocalMessagesPerTurn; !has_ended_ && unconsumed_ <= window_; --left) {
    if (left == 0) {  // the others on the loop come first
      work_timer_.start(std::chrono::nanoseconds(0));
      return;
    }
    std::string message;
    Coding coding = Coding::Identity;
    const Result<bool> next = reader_.next(message, coding);
    if (!next.ok()) {
      end(client_error(Code::Unimplemented, "messages compressed in this way are not read here"));
    } else if (*next) {
      untaken_ -= kGrpcPrefixBytes + message.size();
      take(message, coding);
    } else {
      break;
    }
  }
  if (has_ended_ || !is_half_closed_ || unconsumed_ > window_ || has_told_half_close_) {
    return;
  }
  has_told_half_close_ = true;
  if (reader_.is_inside_message()) {
    end(client_error(Code::Internal, "the request ends in the middle of a message"));
  } else {
    method_->on_half_close();
  }
}

void LocalCall::take(const std::string& message, Coding coding) {
  if (coding == Coding::Identity) {
    method_->on_message(message);
    return;
  }
  std::string inflated;
  switch (inflate_bytes(coding, message, kLocalMessageBytesMax, inflated)) {
    case Inflated::Ok:
      return method_->on_message(inflated);
    case Inflated::TooLarge:
      return end(unreadable());
    case Inflated::Malformed:
      return end(client_error(Code::Internal, "a message is not compressed in the way that its flag says"));
  }
}

void LocalCall::send(std::string_view message) {
  if (has_ended_) {
    return;
  }
  if (!std::exchange(has_head_, true)) {
    handler_.on_call_head({});
  }
  std::string frame;
  const size_t at = begin_grpc_frame(frame);
  frame.append(message);
  end_grpc_frame(frame, at);
  unconsumed_ += frame.size();
  handler_.on_call_bytes(frame);
}

void LocalCall::end(const Status& status) {
  if (std::exchange(has_ended_, true)) {
    return;
  }
  work_timer_.stop();
  deadline_timer_.stop();
  CallEnd end;
  end.status = status;
  end.trailers_only = !has_head_;
  // A stream that ends well without a message has a head all the same.
  if (status.ok() && !std::exchange(has_head_, true)) {
    handler_.on_call_head({});
    end.trailers_only = false;
  }
  handler_.on_call_end(end);
}

}  // namespace transom
