#include "http/h1_exchange.h"

#include <utility>

namespace transom {

H1Exchange::H1Exchange(H1AnswerSink& sink, Loop& loop, RequestHead&& head, bool accepts_trailers)
    : sink_(&sink), loop_(loop), head_(std::move(head)), accepts_trailers_(accepts_trailers) {}

void H1Exchange::consume(size_t bytes) {
  if (sink_ != nullptr && bytes > 0) {
    sink_->on_body_consumed(bytes);
  }
}

void H1Exchange::send_head(const ResponseHead& head) {
  if (sink_ != nullptr) {
    sink_->on_answer_head(head);
  }
}

size_t H1Exchange::send(std::string&& bytes) {
  if (sink_ == nullptr) {
    return 0;
  }
  response_body_bytes_ += bytes.size();
  sink_->on_answer_bytes(std::move(bytes));
  return sink_->answer_buffered();
}

void H1Exchange::finish(const Fields& trailers) {
  if (sink_ != nullptr) {
    sink_->on_answer_end(trailers);
  }
}

void H1Exchange::abort(uint32_t) {
  if (sink_ != nullptr) {
    sink_->on_answer_cut();
  }
}

void H1Exchange::on_body(std::string_view bytes) {
  request_body_bytes_ += bytes.size();
  if (handler_ != nullptr) {
    handler_->on_request_bytes(bytes);
  }
}

void H1Exchange::on_end(const Status& status) {
  left_ = sink_ != nullptr ? sink_->answer_buffered() : left_;
  sink_ = nullptr;
  if (handler_ != nullptr) {
    handler_->on_exchange_end(status);
  }
}

}  // namespace transom
