// FakeExchange is a client without a session, for tests of what answers it: it hands a request to its handler in pieces
// and notes what is said. Its buffer drains when the test says so. One thread.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "http/exchange.h"

namespace transom {

class FakeExchange final : public Exchange {
 public:
  explicit FakeExchange(Loop& loop) : loop_(loop) {}

  // --- the client's side
  RequestHead request;
  bool takes_trailers = false;
  bool drains_at_once = true;  // bytes leave as they are sent

  // What the acceptor gave; begins the exchange.
  void begin(ExchangeAcceptor& acceptor) { handler_ = acceptor.on_exchange(*this); }
  void send_body(std::string_view bytes) {
    body_bytes_ += bytes.size();
    handler_->on_request_bytes(bytes);
  }
  void end_body() { handler_->on_request_end({}); }
  // Everything buffered has left.
  void drain() {
    buffered_ = 0;
    handler_->on_send_ready();
  }
  // Once: the exchange is over for its handler.
  void end(const Status& status = {}) { handler_->on_exchange_end(status); }
  void drop_handler() { handler_.reset(); }

  // --- what the handler said
  std::optional<ResponseHead> head_said;
  std::string said;                 // all bytes
  std::vector<std::string> pieces;  // the same, as they came
  bool is_finished = false;
  Fields trailers;
  std::optional<uint32_t> aborted;
  size_t consumed = 0;
  bool may_pause = false;

  bool has_ended() const { return is_finished || aborted.has_value(); }
  std::string header(std::string_view name) const {
    return head_said.has_value() ? std::string(head_said->fields.find(name).value_or("")) : std::string();
  }

  const RequestHead& head() const override { return request; }
  Loop& loop() override { return loop_; }
  void lift_body_timeout() override { may_pause = true; }
  void consume(size_t bytes) override { consumed += bytes; }
  void send_head(const ResponseHead& head) override {
    check(!head_said.has_value(), "one head");
    head_said = head;
  }
  size_t send(std::string&& bytes) override {
    check(head_said.has_value() && !has_ended(), "bytes stand between head and end");
    said += bytes;
    buffered_ += drains_at_once ? 0 : bytes.size();
    pieces.push_back(std::move(bytes));
    return buffered_;
  }
  void finish(const Fields& fields) override {
    check(head_said.has_value() && !has_ended(), "one end, after the head");
    is_finished = true;
    trailers = fields;
  }
  void abort(uint32_t h2_error) override { aborted = h2_error; }
  size_t buffered() const override { return buffered_; }
  uint64_t request_body_bytes() const override { return body_bytes_; }
  uint64_t response_body_bytes() const override { return said.size(); }
  bool accepts_trailers() const override { return takes_trailers; }

 private:
  Loop& loop_;
  std::unique_ptr<ExchangeHandler> handler_;
  uint64_t body_bytes_ = 0;
  size_t buffered_ = 0;
};

}  // namespace transom
