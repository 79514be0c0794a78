// H2Exchange is one request of an HTTP/2 session, its stream, and the way to its answer. The session makes it when a
// header block begins, gives it a handler when the head is complete and good, and buries it when the stream has closed;
// from then on its calls do nothing. It may outlive its handler, to carry an answer of the session's own. One thread.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/byte_queue.h"
#include "base/memory_account.h"
#include "http/exchange.h"
#include "http/h2_head.h"
#include "net/loop.h"

namespace transom {

class H2Exchange;

// The session as its exchanges see it. None of these calls a handler or the vendor's parser.
class H2ExchangeOwner {
 public:
  // There is something to submit or to send: looked at in the next flush.
  virtual void on_answer_changed(H2Exchange& exchange) = 0;
  virtual void on_body_consumed(H2Exchange& exchange, size_t bytes) = 0;

 protected:
  ~H2ExchangeOwner() = default;
};

class H2Exchange final : public Exchange {
 public:
  H2Exchange(H2ExchangeOwner& owner, Loop& loop, int32_t stream, size_t window, MemoryAccount* account);

  const RequestHead& head() const override { return head_.request(); }
  Loop& loop() override { return loop_; }
  void consume(size_t bytes) override;
  void lift_body_timeout() override { may_pause = true; }
  void send_head(const ResponseHead& head) override;
  size_t send(std::string&& bytes) override;
  void finish(const Fields& trailers) override;
  void abort(uint32_t h2_error) override;
  size_t buffered() const override { return body_.size(); }
  uint64_t request_body_bytes() const override { return request_body_bytes_; }
  uint64_t response_body_bytes() const override { return response_body_bytes_; }
  bool accepts_trailers() const override { return head_.takes_trailers(); }

  // What follows is for the session alone.
  void set_handler(std::unique_ptr<ExchangeHandler> handler) { handler_ = std::move(handler); }
  ExchangeHandler* handler() { return handler_.get(); }
  // The handler hears the end and is buried; the exchange goes on without one.
  void end_handler(const Status& status);
  // Nothing more is done for it.
  void retire() { owner_ = nullptr; }
  bool is_answered() const { return has_head_; }
  bool has_ended() const { return has_ended_ || is_cut_; }
  // Its answer is whole and its client still sends.
  bool drops_rest() const { return has_left_end && !request_ended && !is_reset; }
  void on_body(std::string_view bytes);
  // The handler hears it if the answer is still open and the room is there.
  void tell_send_ready();

  // The answer, taken by the flush.
  const ResponseHead& answer() const { return answer_; }
  const Fields& trailers() const { return trailers_; }
  bool drops_body() const { return drops_body_; }
  bool is_cut() const { return is_cut_; }
  uint32_t cut_error() const { return cut_error_; }
  bool is_short() const;  // fewer bytes were sent than the head's Content-Length said
  ByteQueue& body() { return body_; }

  const int32_t stream;
  H2Head& reading() { return head_; }

  // The session's notes about the stream.
  size_t place = 0;            // in the session's list
  bool is_dirty = false;       // waits for the flush
  bool is_submitted = false;   // the answer's head was given to the codec
  bool has_left_head = false;  // and pulled from it
  bool has_left_end = false;   // END_STREAM was pulled
  bool request_ended = false;
  bool head_ended = false;  // the request's head is complete
  bool sends_continue = false;
  bool may_pause = false;  // in its body, for any time
  bool is_reset = false;  // we submitted RST_STREAM, for no fault of the client
  size_t dropped = 0;     // bytes of body that came when nobody wanted them
  size_t unconsumed = 0;  // bytes of body delivered and not consumed
  size_t withheld = 0;    // consumed while bodies are paused: not yet told to the client
  TimePoint read_since{};
  TimePoint wrote_since{};
  TimePoint left_at{};  // with has_left_end

 private:
  H2ExchangeOwner* owner_;
  Loop& loop_;
  const size_t window_;
  H2Head head_;
  std::unique_ptr<ExchangeHandler> handler_;
  ResponseHead answer_;
  Fields trailers_;
  ByteQueue body_;
  uint64_t request_body_bytes_ = 0;
  uint64_t response_body_bytes_ = 0;
  uint32_t cut_error_ = 0;
  bool has_head_ = false;
  bool has_ended_ = false;
  bool is_cut_ = false;
  bool drops_body_ = false;  // HEAD, 204, 304
  bool is_above_high_ = false;
};

}  // namespace transom
