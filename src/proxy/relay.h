// A Relay is the story of one request: it finds the route, makes metadata and deadline, turns the body into messages by
// its ClientProtocol, starts the Call, and carries the answer back. Bytes are consumed on one side only when they have
// left the other side's buffer (design decision 6). Owned by its Exchange; one thread. It ends with on_exchange_end, or
// earlier with its own last word, after which it hears nothing of its Call any more.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "backend/backend.h"
#include "base/memory_account.h"
#include "http/exchange.h"
#include "net/timer.h"
#include "protocol/client_protocol.h"
#include "proxy/answer.h"
#include "proxy/body_hold.h"
#include "proxy/idle_watch.h"
#include "proxy/listener_rules.h"
#include "proxy/offloaded.h"
#include "proxy/worker_services.h"
#include "route/router.h"

namespace transom {

class Relay final : public ExchangeHandler, public CallHandler, public GuardedBody {
 public:
  Relay(Exchange& exchange, WorkerServices& services, const ListenerRules& listener);
  Relay(const Relay&) = delete;
  Relay& operator=(const Relay&) = delete;

  // Once, right after the constructor; it may already answer.
  void begin();

  void on_request_bytes(std::string_view bytes) override;
  void on_request_end(const Fields& trailers) override;
  void on_send_ready() override;
  std::string request_id() const override { return request_id_; }
  void on_exchange_end(const Status& status) override;

  void on_call_head(const Fields& fields) override;
  void on_call_bytes(std::string_view bytes) override;
  void on_call_send_ready() override;
  void on_call_end(const CallEnd& end) override;

  void on_body_resumed() override;
  void on_body_shed() override;

 private:
  // Client to replica, in the order in which a request goes through them. A failure refuses it.
  Status take_up();
  void open_web_socket();
  Status find_route();
  void take_route(const Route* route);
  Status explain_not_found(NotFound&& not_found);
  Status prepare_call();
  Status choose_protocol();
  Status admit_body();
  void pump_request();
  void on_request_converted(Status status, const Conversion& conversion, std::string&& message);
  void start_call();
  void watch_idleness();
  void note_progress() {
    if (idle_watch_ != nullptr) {
      idle_watch_->touch();
    }
  }
  void half_close();
  Status charge_request();
  void release_request();
  Status shed_body();
  void settle_request();
  void watch_deadline();
  void watch_idle_answer();
  void end_body();

  // Replica to client.
  void pump_response();
  void on_response_converted(Status status, const Conversion& conversion, std::string&& bytes);
  void deliver(std::string&& bytes);
  void settle_response();

  // The last word.
  void fail(const Status& status);
  void finish(AnswerEnd&& end, const Fields& trailing);
  void let_go();
  void note_call();
  void report(const Status& exchange_status);

  bool is_large(const Conversion& conversion) const { return conversion.input_bytes() > limits().offload_body; }
  std::unique_ptr<Offloaded> offload(Conversion&& conversion, Offloaded::OnDone on_done);
  Status shed(std::string_view reason, std::string message);
  const Snapshot& rules_of_all() const { return *snapshot_->snapshot; }
  const Limits& limits() const { return rules_of_all().limits; }
  const RouteSettings& route_settings() const { return rules_of_all().route_settings[route_->options_index]; }
  const BackendSettings& backend_settings() const { return rules_of_all().backends[route_settings().backend]; }
  bool is_streaming() const {
    return route_->plan == nullptr || route_->plan->is_server_streaming || route_->plan->is_client_streaming;
  }

  Exchange& exchange_;
  WorkerServices& services_;
  const ListenerRules& listener_;
  const RequestHead& head_;
  const WorkerSnapshotPtr snapshot_;
  const TimePoint began_;
  const std::string_view client_;  // its address
  std::string request_id_;
  std::string_view content_type_;  // of the request, "" when it has none
  bool is_grpc_ = false;      // the client speaks gRPC
  bool is_verbatim_ = false;  // and its messages are not looked into

  // What the route says.
  const Route* route_ = nullptr;
  ErrorForm errors_;         // the process's until there is a route
  std::string route_label_;  // of a request that found none
  RequestBindings bindings_;
  std::string alt_;  // `$alt` of the query
  SlipSet slips_;  // of path, query and body, to be reported
  TranscodeRules rules_;
  CallHead call_head_;
  std::unique_ptr<ClientProtocol> protocol_;

  // The request on its way.
  bool is_request_ended_ = false;
  bool is_body_begun_ = false;
  bool is_half_closed_ = false;
  size_t owed_request_ = 0;   // received and not yet consumed
  BodyHold hold_;
  std::unique_ptr<Timer> body_timer_;
  std::unique_ptr<Offloaded> request_work_;

  // The call and its answer.
  std::unique_ptr<Call> call_;
  std::unique_ptr<IdleWatch> idle_watch_;  // of a streaming call
  TimePoint call_began_{};
  std::chrono::nanoseconds call_took_{0};
  std::chrono::nanoseconds call_waited_{0};  // of it, before it left
  std::string replica_;
  std::optional<CallEnd> call_end_;
  size_t owed_response_ = 0;
  Charge response_charge_;
  std::unique_ptr<Offloaded> response_work_;
  std::unique_ptr<IdleWatch> answer_watch_;  // of an answer that is kept alive
  Answer answer_;
};

}  // namespace transom
