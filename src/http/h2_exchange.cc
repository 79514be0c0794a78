#include "http/h2_exchange.h"

#include <utility>

#include "base/check.h"

namespace transom {

H2Exchange::H2Exchange(H2ExchangeOwner& owner, Loop& loop, int32_t stream_in, size_t window, MemoryAccount* account)
    : stream(stream_in), owner_(&owner), loop_(loop), window_(window), body_(account) {}

void H2Exchange::consume(size_t bytes) {
  if (owner_ != nullptr && bytes > 0) {
    owner_->on_body_consumed(*this, bytes);
  }
}

void H2Exchange::send_head(const ResponseHead& head) {
  if (owner_ == nullptr) {
    return;
  }
  check(!has_head_, "an answer has one head");
  has_head_ = true;
  answer_ = head;
  drops_body_ = head_.request().method == "HEAD" || head.status == 204 || head.status == 304;
  if (head.status == 204) {
    answer_.content_length = -1;
  }
  owner_->on_answer_changed(*this);
}

size_t H2Exchange::send(std::string&& bytes) {
  if (owner_ == nullptr) {
    return 0;
  }
  check(has_head_ && !has_ended_, "body comes between head and end");
  if (drops_body_ || is_cut_) {
    return body_.size();
  }
  response_body_bytes_ += bytes.size();
  body_.push(std::move(bytes));
  is_above_high_ = is_above_high_ || body_.size() > window_;
  owner_->on_answer_changed(*this);
  return body_.size();
}

void H2Exchange::finish(const Fields& trailers) {
  if (owner_ == nullptr) {
    return;
  }
  check(has_head_ && !has_ended_, "an answer ends once, after its head");
  has_ended_ = true;
  if (!drops_body_) {
    trailers_ = trailers;
  }
  if (is_short()) {
    abort(2);  // INTERNAL_ERROR: its length would not match (RFC 9113 section 8.1.1)
    return;
  }
  owner_->on_answer_changed(*this);
}

void H2Exchange::abort(uint32_t h2_error) {
  if (owner_ == nullptr || is_cut_) {
    return;
  }
  is_cut_ = true;
  cut_error_ = h2_error;
  owner_->on_answer_changed(*this);
}

bool H2Exchange::is_short() const {
  return !drops_body_ && answer_.content_length >= 0 &&
         response_body_bytes_ != static_cast<uint64_t>(answer_.content_length);
}

void H2Exchange::end_handler(const Status& status) {
  if (handler_ != nullptr) {
    handler_->on_exchange_end(status);
    loop_.bury(std::move(handler_));
  }
}

void H2Exchange::on_body(std::string_view bytes) {
  request_body_bytes_ += bytes.size();
  if (handler_ != nullptr) {
    handler_->on_request_bytes(bytes);
  }
}

void H2Exchange::tell_send_ready() {
  if (is_above_high_ && body_.size() <= window_ / 2) {
    is_above_high_ = false;
    if (handler_ != nullptr && !has_ended()) {
      handler_->on_send_ready();
    }
  }
}

}  // namespace transom
