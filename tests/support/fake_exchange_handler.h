// A fake handler of an Exchange and its acceptor, for tests of src/http: it notes what it hears and answers as told.
// One thread.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "http/exchange.h"

namespace transom {

// What one exchange said; outlives it.
struct ExchangeNotes {
  RequestHead head;
  std::string body;
  Fields trailers;
  bool request_ended = false;
  int send_ready = 0;
  int ends = 0;
  Status end_status;
};

class FakeExchangeHandler final : public ExchangeHandler {
 public:
  using OnStep = std::function<void(Exchange&, ExchangeNotes&)>;

  FakeExchangeHandler(Exchange& exchange, std::shared_ptr<ExchangeNotes> notes, bool consumes, OnStep on_body,
                      OnStep on_end, OnStep on_ready)
      : exchange_(exchange),
        notes_(std::move(notes)),
        consumes_(consumes),
        on_body_(std::move(on_body)),
        on_end_(std::move(on_end)),
        on_ready_(std::move(on_ready)) {}

  void on_request_bytes(std::string_view bytes) override {
    notes_->body.append(bytes);
    if (consumes_) {
      exchange_.consume(bytes.size());
    }
    step(on_body_);
  }
  void on_request_end(const Fields& trailers) override {
    notes_->trailers = trailers;
    notes_->request_ended = true;
    step(on_end_);
  }
  void on_send_ready() override {
    ++notes_->send_ready;
    step(on_ready_);
  }
  std::string request_id() const override { return "of-the-handler"; }
  void on_exchange_end(const Status& status) override {
    ++notes_->ends;
    notes_->end_status = status;
  }

 private:
  void step(const OnStep& action) {
    if (action) {
      action(exchange_, *notes_);
    }
  }

  Exchange& exchange_;
  std::shared_ptr<ExchangeNotes> notes_;
  bool consumes_;
  OnStep on_body_;
  OnStep on_end_;
  OnStep on_ready_;
};

class FakeExchangeAcceptor final : public ExchangeAcceptor {
 public:
  // Set before the first exchange; each may be empty.
  FakeExchangeHandler::OnStep on_head;
  FakeExchangeHandler::OnStep on_body;
  FakeExchangeHandler::OnStep on_end;
  FakeExchangeHandler::OnStep on_ready;
  bool consumes = true;
  std::vector<std::shared_ptr<ExchangeNotes>> exchanges;

  std::unique_ptr<ExchangeHandler> on_exchange(Exchange& exchange) override {
    auto notes = std::make_shared<ExchangeNotes>();
    notes->head = exchange.head();
    exchanges.push_back(notes);
    if (on_head) {
      on_head(exchange, *notes);
    }
    return std::make_unique<FakeExchangeHandler>(exchange, notes, consumes, on_body, on_end, on_ready);
  }
};

// Sends a whole answer at once.
inline void answer(Exchange& exchange, uint16_t status, std::string body) {
  ResponseHead head;
  head.status = status;
  head.fields.add("content-type", "text/plain");
  exchange.send_head(head);
  if (!body.empty()) {
    exchange.send(std::move(body));
  }
  exchange.finish(Fields{});
}

}  // namespace transom
