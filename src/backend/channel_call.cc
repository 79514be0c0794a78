#include "backend/channel_call.h"

#include <algorithm>
#include <charconv>

#include "backend/grpc_answer.h"

namespace transom {
namespace {

constexpr uint32_t kRefusedStream = 7;  // RFC 9113 section 7
constexpr uint32_t kCancel = 8;
constexpr size_t kFieldOverheadBytes = 32;  // as SETTINGS_MAX_HEADER_LIST_SIZE counts (RFC 9113 section 6.5.2)
// A replica that counts our grpc-timeout down resets the stream a moment before our own timer.
constexpr std::chrono::milliseconds kDeadlineSlack{10};
// The window aims at what a reader takes in this time, and falls back where more than the first is held for so long.
constexpr std::chrono::milliseconds kFastWindowTime{50};
constexpr std::chrono::milliseconds kSlowWindowTime{1000};
// What socket buffers on the way take from us is no proof that anybody reads.
constexpr size_t kProofBytes = 512 * kKiB;

}  // namespace

ChannelCall::ChannelCall(const CallHead& head, CallHandler& handler, const std::string& replica,
                         const ChannelLimits& limits, SendQueue queue)
    : head_(head),
      handler_(&handler),
      replica_(replica),
      limits_(limits),
      queue_(std::move(queue)),
      window_(limits.window) {
  wants_ready_ = queue_.size() > kQueueHigh;
}

ChannelCall::~ChannelCall() { leave(true); }

void ChannelCall::wait_in(WaitingLine& line) {
  line_ = &line;
  line_place_ = line.add(*this);
}

void ChannelCall::go_by(Channel& channel) {
  leave(false);
  channel_ = &channel;
  channel.add(*this);
}

void ChannelCall::on_stream_open(int32_t id) {
  stream_id_ = id;
  opened_at_ = channel_->loop().now();
}

void ChannelCall::leave(bool is_cancelled) {
  if (line_ != nullptr) {
    line_->remove(line_place_);
    line_ = nullptr;
  }
  if (channel_ != nullptr) {
    std::exchange(channel_, nullptr)->remove(*this, is_cancelled);
  }
}

size_t ChannelCall::send(std::string&& bytes, bool end) {
  if (handler_ == nullptr) {
    return 0;
  }
  size_t pushed = bytes.size();
  queue_.push(std::move(bytes));
  if (end) {
    queue_.end();
  }
  if (channel_ != nullptr) {
    channel_->on_call_pushed(*this, pushed);
  }
  wants_ready_ = wants_ready_ || queue_.size() > kQueueHigh;
  return queue_.size();
}

void ChannelCall::tell_ready() {
  // Again, since it may stand in the channel's list more than once, and have filled its queue anew meanwhile.
  if (wants_ready() && handler_ != nullptr) {
    wants_ready_ = false;
    handler_->on_call_send_ready();
  }
}

void ChannelCall::consume(size_t bytes) {
  bytes = std::min(bytes, unconsumed_);
  const bool is_slow = unconsumed_ > limits_.window && channel_ != nullptr &&
                       channel_->loop().now() - held_since_ >= kSlowWindowTime;
  unconsumed_ -= bytes;
  consumed_ += bytes;
  if (channel_ != nullptr && stream_id_ != 0) {
    if (is_slow) {
      set_window(limits_.window);  // before the rest: it is then not opened for what it loses
    }
    channel_->consume(*this, bytes);
    grow_window();
  }
}

// A reader that took a whole window in so short a time gets twice that.
void ChannelCall::grow_window() {
  if (received_ < window_ || unconsumed_ > window_ / 2) {
    return;
  }
  if (channel_->loop().now() - receive_begun_ <= kFastWindowTime && consumed_ >= kProofBytes) {
    set_window(std::max(window_, std::min(window_ * 2, limits_.window_max)));
  }
  received_ = 0;
}

void ChannelCall::set_window(size_t bytes) {
  if (bytes != window_) {
    window_ = bytes;
    received_ = 0;
    channel_->set_window(*this, bytes);
  }
}

bool ChannelCall::on_stream_field(std::string_view name, std::string_view value) {
  field_bytes_ += name.size() + value.size() + kFieldOverheadBytes;
  if (field_bytes_ > limits_.header_bytes) {
    is_over_header_bytes_ = true;
    return false;
  }
  if (name.empty() || name.front() != ':') {
    fields_.add(name, value);
  } else if (name == ":status") {
    std::from_chars(value.data(), value.data() + value.size(), http_status_);
  }
  return true;
}

void ChannelCall::on_stream_fields_end(bool is_last) {
  field_bytes_ = 0;
  if (has_head_) {
    on_trailers(false);
  } else if (is_last) {
    on_trailers(true);
  } else if (http_status_ < 200) {
    fields_.clear();  // an interim answer
  } else {
    on_answer_head();
  }
}

Status ChannelCall::check_head() const {
  std::string_view content_type = fields_.find("content-type").value_or("");
  if (http_status_ == 200 && is_grpc_content_type(content_type)) {
    return {};
  }
  std::string what = http_status_ != 200 ? "HTTP status " + std::to_string(http_status_)
                                         : "content type \"" + legible_text(content_type.substr(0, 100)) + '"';
  return replica_error(code_of_answer_status(http_status_),
                       "replica " + replica_ + ": answered with " + what + " instead of gRPC");
}

void ChannelCall::on_answer_head() {
  if (Status status = check_head(); !status.ok()) {
    end({.status = std::move(status),
         .trailers = {},
         .sent = Sent::Maybe,
         .trailers_only = false,
         .replica = replica_,
         .foreign_status = http_status_},
        true);
    return;
  }
  has_head_ = true;
  queue_.forget();
  // A status among the initial metadata is not the call's.
  for (std::string_view name : {"content-type", "grpc-status", "grpc-message", "grpc-status-details-bin"}) {
    fields_.remove(name);
  }
  Fields fields = std::move(fields_);
  fields_.clear();
  handler_->on_call_head(fields);
}

void ChannelCall::on_trailers(bool is_trailers_only) {
  CallEnd call_end;
  call_end.trailers_only = is_trailers_only;
  call_end.replica = replica_;
  Status head_status = is_trailers_only ? check_head() : Status();
  // A grpc-status tells more than the HTTP status (http-grpc-status-mapping.md).
  bool is_foreign = !head_status.ok() && !fields_.find("grpc-status");
  call_end.status = is_foreign ? std::move(head_status) : take_grpc_status(fields_, replica_);
  call_end.foreign_status = is_foreign ? http_status_ : 0;
  if (is_trailers_only) {
    fields_.remove("content-type");
  }
  call_end.trailers = std::move(fields_);
  end(std::move(call_end), false);
}

void ChannelCall::on_stream_bytes(std::string_view bytes) {
  if (received_ == 0) {
    receive_begun_ = channel_->loop().now();
  }
  if (unconsumed_ == 0) {
    held_since_ = channel_->loop().now();
  }
  unconsumed_ += bytes.size();
  received_ += bytes.size();
  handler_->on_call_bytes(bytes);
}

void ChannelCall::on_stream_end() { fail(Code::Unknown, "ended the answer without a grpc-status", Sent::Maybe, false); }

void ChannelCall::on_stream_close(uint32_t h2_error) {
  if (is_over_header_bytes_) {
    fail(Code::Internal, "sent more than " + std::to_string(limits_.header_bytes) + " bytes of header fields",
         Sent::Maybe, false);
    return;
  }
  if (h2_error == kCancel && head_.deadline != TimePoint::max() &&
      channel_->loop().now() + kDeadlineSlack >= head_.deadline) {
    fail(Code::DeadlineExceeded, "the deadline passed", Sent::Maybe, false);
    return;
  }
  bool is_refused = h2_error == kRefusedStream && !has_head_;
  fail(code_of_reset(h2_error), "reset the stream: " + reset_name(h2_error), is_refused ? Sent::Refused : Sent::Maybe,
       false);
}

void ChannelCall::on_stream_leaving(uint64_t at) {
  left_at_ = channel_->loop().now();
  first_byte_ = at;
}

void ChannelCall::on_stream_sent(size_t bytes) { channel_->on_call_sent(*this, bytes); }

void ChannelCall::end_broken(const Status& reason, Sent sent) { fail(Code::Unavailable, reason.message, sent, false); }

void ChannelCall::fail(Code code, std::string reason, Sent sent, bool is_cancelled) {
  end({.status = replica_error(code, "replica " + replica_ + ": " + reason),
       .trailers = {},
       .sent = sent,
       .trailers_only = false,
       .replica = replica_,
       .foreign_status = 0},
      is_cancelled);
}

void ChannelCall::end(CallEnd&& end, bool is_cancelled) {
  leave(is_cancelled);
  CallEnd told = std::move(end);
  std::exchange(handler_, nullptr)->on_call_end(told);
}

}  // namespace transom
