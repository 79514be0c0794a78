// H1Exchange is one request of an HTTP/1.x session and the way to its answer. The session makes it when a head is
// complete, ends it when the answer has left or cannot, and buries it; after that its calls do nothing. One thread.
#pragma once

#include <memory>
#include <string>

#include "http/exchange.h"

namespace transom {

// The session as its exchange sees it. None of these calls the handler.
class H1AnswerSink {
 public:
  virtual void on_answer_head(const ResponseHead& head) = 0;
  virtual void on_answer_bytes(std::string&& bytes) = 0;
  virtual void on_answer_end(const Fields& trailers) = 0;
  virtual void on_answer_cut() = 0;
  virtual void on_body_consumed(size_t bytes) = 0;
  virtual size_t answer_buffered() const = 0;

 protected:
  ~H1AnswerSink() = default;
};

class H1Exchange final : public Exchange {
 public:
  H1Exchange(H1AnswerSink& sink, Loop& loop, RequestHead&& head, bool accepts_trailers);

  const RequestHead& head() const override { return head_; }
  Loop& loop() override { return loop_; }
  void consume(size_t bytes) override;
  void lift_body_timeout() override { may_pause_ = true; }
  void send_head(const ResponseHead& head) override;
  size_t send(std::string&& bytes) override;
  void finish(const Fields& trailers) override;
  void abort(uint32_t h2_error) override;
  size_t buffered() const override { return sink_ == nullptr ? left_ : sink_->answer_buffered(); }
  uint64_t request_body_bytes() const override { return request_body_bytes_; }
  uint64_t response_body_bytes() const override { return response_body_bytes_; }
  bool accepts_trailers() const override { return accepts_trailers_; }

  // For the session. A null handler hears nothing.
  void set_handler(std::unique_ptr<ExchangeHandler> handler) { handler_ = std::move(handler); }
  ExchangeHandler* handler() { return handler_.get(); }
  bool may_pause() const { return may_pause_; }
  void on_body(std::string_view bytes);
  void on_end(const Status& status);

 private:
  H1AnswerSink* sink_;  // null once it has ended
  size_t left_ = 0;     // buffered then
  Loop& loop_;
  const RequestHead head_;
  const bool accepts_trailers_;
  bool may_pause_ = false;
  std::unique_ptr<ExchangeHandler> handler_;
  uint64_t request_body_bytes_ = 0;
  uint64_t response_body_bytes_ = 0;
};

}  // namespace transom
