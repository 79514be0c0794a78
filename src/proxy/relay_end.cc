// The end of a request: its last word to the client, what is let go of, and what metrics and the access log are told.
#include <algorithm>
#include <utility>

#include "proxy/relay.h"
#include "proxy/request_metadata.h"

namespace transom {

void Relay::fail(const Status& status) {
  if (answer_.is_finished()) {
    return;
  }
  CallEnd end;
  end.status = status;
  if (protocol_ != nullptr) {
    finish(protocol_->on_call_end(end, answer_.is_head_sent()), {});
  } else if (is_grpc_) {
    finish(grpc_failure(status, content_type_), {});
  } else {
    finish(json_failure(status, errors_, rules_.schema, JsonOptions{}), {});
  }
}

void Relay::finish(AnswerEnd&& end, const Fields& trailing) {
  Fields trailers;  // gRPC's clients read them; others say whether they do
  if (is_grpc_ || end.trailers_in_head || exchange_.accepts_trailers()) {
    fill_answer_fields(trailing, is_verbatim_, trailers);
  }
  answer_.finish(std::move(end), trailers);
  let_go();
}

// Whatever is still at work for this request has nobody to work for.
void Relay::let_go() {
  if (call_ != nullptr) {
    note_call();
    replica_ = call_->replica();
    services_.loop.bury(std::move(call_));
  }
  services_.loop.bury(std::move(request_work_));
  services_.loop.bury(std::move(response_work_));
  answer_watch_.reset();
  response_charge_.set(0);
  end_body();
}

void Relay::on_exchange_end(const Status& status) {
  answer_.give_up();
  let_go();
  report(status);
}

void Relay::note_call() {
  const TimePoint now = services_.loop.now();
  call_took_ = now - call_began_;
  call_waited_ = std::min(call_->left_at(), now) - call_began_;
  if (idle_watch_ != nullptr) {
    idle_watch_->stop();
  }
}

void Relay::report(const Status& exchange_status) {
  if (protocol_ != nullptr) {
    slips_.add(protocol_->slips());
  }
  RequestRecord record;
  record.head = &head_;
  record.route = route_;
  record.route_label = route_ != nullptr ? std::string_view(route_->label) : std::string_view(route_label_);
  record.rpc = route_ != nullptr ? std::string_view(route_->rpc) : std::string_view();
  record.request_id = request_id_;
  record.client = client_;
  record.protocol = is_grpc_                                  ? ProtocolLabel::Grpc
                    : head_.is_web_socket                 ? ProtocolLabel::WebSocket
                    : head_.version == HttpVersion::Http1 ? ProtocolLabel::Http1
                                                              : ProtocolLabel::Http2;
  record.backend = route_ != nullptr ? std::string_view(route_->backend) : std::string_view();
  record.replica = replica_;
  answer_.describe(exchange_status, record);
  record.bytes_in = exchange_.request_body_bytes();
  record.bytes_out = exchange_.response_body_bytes();
  record.request_content_type = content_type_;
  record.slips = slips_;
  record.duration = services_.loop.now() - began_;
  record.waiting = hold_.waited() + call_waited_;
  record.replica_duration = call_took_;
  services_.observer.on_request_end(record);
}

}  // namespace transom
