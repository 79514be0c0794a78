// CallRecord is a CallHandler that writes down what it hears, for tests.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "backend/call.h"

namespace transom {

class CallRecord final : public CallHandler {
 public:
  void on_call_head(const Fields& fields) override {
    is_inside = is_inside || in_caller;
    head = fields;
  }
  void on_call_bytes(std::string_view bytes) override {
    is_inside = is_inside || in_caller;
    received.append(bytes);
    if (consumes && call != nullptr) {
      call->consume(bytes.size());
    }
  }
  void on_call_send_ready() override {
    is_inside = is_inside || in_caller;
    ++readies;
    if (on_ready) {
      on_ready();
    }
  }
  void on_call_end(const CallEnd& told) override {
    is_inside = is_inside || in_caller;
    ++ends;
    end = told;
    if (on_end) {
      on_end();
    }
  }

  bool has_ended() const { return ends > 0; }

  std::unique_ptr<Call> call;
  bool consumes = true;
  bool in_caller = false;  // set it around calls of start, send and consume
  bool is_inside = false;  // a callback ran inside one
  std::optional<Fields> head;
  std::string received;
  int readies = 0;
  int ends = 0;
  CallEnd end;
  std::function<void()> on_ready;
  std::function<void()> on_end;
};

}  // namespace transom
