#include "proxy/relay.h"

#include <algorithm>
#include <utility>

#include "protocol/media_type.h"
#include "proxy/client_address.h"
#include "proxy/protocol_choice.h"
#include "proxy/request_deadline.h"
#include "proxy/request_metadata.h"
#include "proxy/web_socket_origin.h"

namespace transom {

Relay::Relay(Exchange& exchange, WorkerServices& services, const ListenerRules& listener)
    : exchange_(exchange),
      services_(services),
      listener_(listener),
      head_(exchange.head()),
      snapshot_(services.snapshot),
      began_(services.loop.now()),
      client_(client_address(head_, listener.trusted_hops)),
      errors_(snapshot_->snapshot->errors),
      hold_(services.memory, *this, snapshot_->snapshot->limits.exchange_window),
      response_charge_(&services.memory.account()),
      answer_(exchange, request_id_, listener.cors.get()) {}

void Relay::begin() {
  request_id_ = services_.ids.choose(head_.fields);
  content_type_ = head_.fields.find("content-type").value_or("");
  is_grpc_ = !head_.is_web_socket && (is_grpc(content_type_) || is_grpc_json(content_type_));
  Status status = take_up();
  if (status.ok() && !answer_.is_finished() && !head_.has_body) {
    is_request_ended_ = true;
    status = protocol_->on_request_end();
  }
  if (!status.ok()) {
    fail(status);
    return;
  }
  if (answer_.is_finished()) {
    return;
  }
  if (head_.is_web_socket) {
    open_web_socket();
  }
  if (protocol_->begins_with_head()) {
    exchange_.lift_body_timeout();  // the call has time bounds of its own
    start_call();
  }
  pump_request();
}

// Its client says nothing before it is open. A call that waits for the first message has its deadline already.
void Relay::open_web_socket() {
  deliver(std::string());
  if (!protocol_->begins_with_head()) {
    is_body_begun_ = true;
    watch_deadline();
  }
}

Status Relay::take_up() {
  if (services_.memory.is_exhausted()) {
    return shed("memory", "the proxy has no memory left for requests");
  }
  if (Status status = find_route(); !status.ok() || answer_.is_finished()) {
    return status;
  }
  if (Status status = prepare_call(); !status.ok()) {
    return status;
  }
  if (Status status = choose_protocol(); !status.ok() || answer_.is_finished()) {
    return status;
  }
  return admit_body();
}

Status Relay::find_route() {
  const bool is_preflight = listener_.cors != nullptr && Cors::is_preflight(head_.method, head_.fields);
  const RouteRequest request{head_.method, head_.target, head_.authority, head_.fields, is_grpc_, is_preflight,
                             head_.is_web_socket};
  std::variant<Found, NotFound> result = rules_of_all().router->find(request, rules_of_all().binding_options);
  if (auto* not_found = std::get_if<NotFound>(&result)) {
    return explain_not_found(std::move(*not_found));
  }
  Found& found = std::get<Found>(result);
  call_head_.path = found.rpc_path;
  slips_ = found.slips;
  alt_ = std::move(found.alt);
  bindings_ = RequestBindings{std::move(found.bindings), std::move(found.paths)};
  take_route(found.route);
  return {};
}

void Relay::take_route(const Route* route) {
  route_ = route;
  errors_ = route_settings().errors;
  services_.observer.on_request_begin(head_, *route);
}

Status Relay::explain_not_found(NotFound&& not_found) {
  if (not_found.route != nullptr) {
    take_route(not_found.route);
  }
  route_label_ = std::move(not_found.route_label);
  if (head_.method == "OPTIONS" && !not_found.allow.empty()) {
    answer_.finish_options(not_found.allow);
    return {};
  }
  if (not_found.is_for_grpc) {  // as gRPC's own servers refuse it: HTTP's status and gRPC's in one head
    AnswerEnd end = grpc_failure(not_found.status, "application/grpc");
    end.head->status = http_status_of(not_found.status);
    end.has_length = true;
    finish(std::move(end), {});
    return {};
  }
  if (!not_found.allow.empty()) {
    answer_.head_fields().add("allow", not_found.allow);
  }
  return std::move(not_found.status);
}

Status Relay::prepare_call() {
  const BackendSettings& backend = backend_settings();
  const std::chrono::nanoseconds timeout = is_streaming() ? backend.stream_timeout : backend.timeout;
  Result<TimePoint> deadline = find_deadline(head_.fields, timeout, began_);
  if (!deadline.ok()) {
    return deadline.status();
  }
  if (*deadline <= began_) {
    return proxy_error(Code::DeadlineExceeded, "the request's timeout is over before it began");
  }
  call_head_.deadline = *deadline;
  call_head_.is_idempotent = route_->plan != nullptr && route_->plan->is_idempotent;
  is_verbatim_ = is_grpc_ && (route_->kind == RouteKind::PassThrough || is_grpc(content_type_));
  if (is_verbatim_) {
    call_head_.content_type = content_type_;
  } else {
    add_codings(backend.gzip_at_least != kNeverGzip, call_head_.metadata);
  }
  const MetadataSource source{head_.fields, is_verbatim_, request_id_, client_};
  return fill_call_metadata(source, call_head_.metadata);
}

Status Relay::choose_protocol() {
  if (head_.is_web_socket && !may_open_web_socket(head_, listener_.cors.get())) {
    return client_error(Code::PermissionDenied, "pages of this origin may not open a WebSocket here");
  }
  rules_ = TranscodeRules{.request = &route_->request,
                          .response = &route_->response,
                          .json = asks_for_int_enums(alt_) ? &route_settings().json_int_enums : &route_settings().json,
                          .limits = &limits(),
                          .schema = route_->schema.get(),
                          .errors = errors_,
                          .gzip_at_least = backend_settings().gzip_at_least,
                          .stream = &route_settings().stream};
  Result<ChosenProtocol> chosen = transom::choose_protocol(head_, *route_, rules_, std::move(bindings_), alt_);
  if (!chosen.ok()) {
    return chosen.status();
  }
  if (chosen->answer.has_value()) {
    finish(std::move(*chosen->answer), {});
    return {};
  }
  if (!chosen->subprotocol.empty()) {
    answer_.head_fields().add("sec-websocket-protocol", chosen->subprotocol);
  }
  protocol_ = std::move(chosen->protocol);
  return protocol_->on_body_head({.content_type = head_.fields.find("content-type"),
                                  .content_encoding = head_.fields.find("content-encoding").value_or(""),
                                  .content_length = head_.content_length,
                                  .fields = &head_.fields});
}

Status Relay::admit_body() {
  const bool is_collected = !protocol_->begins_with_head() && route_->request.body != BodyKind::None;
  if (!is_collected || head_.content_length <= static_cast<int64_t>(limits().exchange_window)) {
    return {};
  }
  return hold_.grow(static_cast<size_t>(head_.content_length)) ? Status() : shed_body();
}

void Relay::on_request_bytes(std::string_view bytes) {
  if (answer_.is_finished() || call_end_.has_value()) {
    exchange_.consume(bytes.size());
    return;
  }
  watch_deadline();
  note_progress();
  owed_request_ += bytes.size();
  Status status = protocol_->on_request_bytes(bytes);
  if (status.ok()) {
    status = charge_request();
  }
  if (!status.ok()) {
    fail(status);
    return;
  }
  pump_request();
  settle_request();
}

void Relay::on_request_end(const Fields& /*trailers*/) {
  if (is_request_ended_) {
    return;
  }
  is_request_ended_ = true;
  if (answer_.is_finished() || call_end_.has_value()) {
    return;
  }
  if (Status status = protocol_->on_request_end(); !status.ok()) {
    fail(status);
    return;
  }
  pump_request();
}

// A body whose length was not told is charged as it grows.
Status Relay::charge_request() {
  const size_t held = protocol_->held_request_bytes();
  const bool is_of_stream = protocol_->begins_with_head() && held <= limits().exchange_window;
  return is_of_stream || hold_.grow(held) ? Status() : shed_body();
}

// A large message of a stream has gone on its way; one at work on the pool is still here.
void Relay::release_request() {
  const bool has_gone = request_work_ == nullptr && protocol_->held_request_bytes() <= limits().exchange_window;
  if (has_gone && protocol_->begins_with_head()) {
    hold_.release();
  }
}

Status Relay::shed_body() { return shed("memory", "the proxy has no memory for a body of this size now"); }

// Before its call begins, a request that dribbles in has nobody else to watch its deadline.
void Relay::watch_deadline() {
  if (call_ != nullptr || body_timer_ != nullptr || call_head_.deadline == TimePoint::max() ||
      !std::exchange(is_body_begun_, true)) {
    return;
  }
  body_timer_ = std::make_unique<Timer>(services_.loop, [this] {
    fail(proxy_error(Code::DeadlineExceeded, "the deadline passed before the request was complete"));
  });
  body_timer_->start_at(call_head_.deadline);
}

void Relay::settle_request() {
  release_request();
  if (owed_request_ == 0 || answer_.is_finished() || request_work_ != nullptr) {
    return;
  }
  if (hold_.should_pause(services_.loop.now())) {
    return;
  }
  if (call_ != nullptr && call_->buffered() > limits().exchange_window) {
    return;
  }
  exchange_.consume(std::exchange(owed_request_, 0));
}

void Relay::on_body_resumed() {
  hold_.on_resumed(services_.loop.now());
  settle_request();
}

void Relay::on_body_shed() { fail(shed_body()); }

void Relay::end_body() {
  hold_.release();
  if (body_timer_ != nullptr) {
    body_timer_->stop();
  }
}

void Relay::pump_request() {
  while (!answer_.is_finished() && request_work_ == nullptr) {
    if (call_ != nullptr && call_->buffered() > limits().exchange_window) {
      return;
    }
    std::optional<Conversion> next = protocol_->next_request();
    if (!next.has_value()) {
      break;
    }
    if (is_large(*next)) {
      request_work_ = offload(std::move(*next), [this](Status status, const Conversion& done, std::string&& message) {
        services_.loop.bury(std::move(request_work_));
        on_request_converted(std::move(status), done, std::move(message));
        pump_request();
        settle_request();
      });
      return;
    }
    std::string message;
    Status status = next->run(message, nullptr);
    on_request_converted(std::move(status), *next, std::move(message));
  }
  if (!answer_.is_finished() && protocol_->is_request_done()) {
    half_close();
  }
}

void Relay::on_request_converted(Status status, const Conversion& conversion, std::string&& message) {
  slips_.add(conversion.slips());
  if (answer_.is_finished() || call_end_.has_value()) {
    return;
  }
  if (!status.ok()) {
    fail(status);
    return;
  }
  if (call_ == nullptr) {
    start_call();
  }
  is_half_closed_ = protocol_->is_request_done();
  call_->send(std::move(message), is_half_closed_);
  if (is_half_closed_) {
    end_body();
  }
}

void Relay::start_call() {
  call_began_ = services_.loop.now();
  call_ = snapshot_->backends[route_settings().backend]->start(std::move(call_head_), *this);
  watch_idleness();
}

void Relay::watch_idleness() {
  const std::chrono::nanoseconds idle_max = backend_settings().stream_idle_timeout;
  if (!is_streaming() || idle_max.count() == 0) {
    return;
  }
  idle_watch_ = std::make_unique<IdleWatch>(services_.loop, idle_max, [this] {
    fail(proxy_error(Code::DeadlineExceeded, "no message came from either side within the stream's idle timeout"));
  });
}

void Relay::half_close() {
  if (call_ != nullptr && !std::exchange(is_half_closed_, true)) {
    call_->send(std::string(), true);
    end_body();
  }
}

void Relay::on_call_send_ready() {
  if (answer_.is_finished() || call_ == nullptr) {
    return;
  }
  note_progress();
  pump_request();
  settle_request();
}

void Relay::on_call_head(const Fields& fields) {
  if (answer_.is_finished() || call_ == nullptr) {
    return;
  }
  note_progress();
  fill_answer_fields(fields, is_verbatim_, answer_.head_fields());
  if (Status status = protocol_->on_call_head(fields); !status.ok()) {
    fail(status);
    return;
  }
  deliver(std::string());
}

void Relay::on_call_bytes(std::string_view bytes) {
  if (answer_.is_finished() || call_ == nullptr) {
    return;
  }
  note_progress();
  owed_response_ += bytes.size();
  if (Status status = protocol_->on_call_bytes(bytes); !status.ok()) {
    fail(status);
    return;
  }
  pump_response();
  settle_response();
}

void Relay::on_call_end(const CallEnd& end) {
  if (answer_.is_finished() || call_ == nullptr) {
    return;
  }
  note_call();
  replica_ = end.replica;
  call_end_ = end;
  services_.loop.bury(std::move(call_));
  pump_response();
}

void Relay::on_send_ready() {
  if (answer_.is_finished()) {
    return;
  }
  note_progress();
  pump_response();
  settle_response();
}

void Relay::pump_response() {
  while (!answer_.is_finished() && response_work_ == nullptr && exchange_.buffered() <= limits().exchange_window) {
    std::optional<Conversion> next = protocol_->next_response();
    if (!next.has_value()) {
      if (call_end_.has_value()) {
        finish(protocol_->on_call_end(*call_end_, answer_.is_head_sent()), call_end_->trailers);
      }
      return;
    }
    if (is_large(*next)) {
      response_work_ = offload(std::move(*next), [this](Status status, const Conversion& done, std::string&& bytes) {
        services_.loop.bury(std::move(response_work_));
        on_response_converted(std::move(status), done, std::move(bytes));
        pump_response();
        settle_response();
      });
      return;
    }
    std::string bytes;
    Status status = next->run(bytes, nullptr);
    on_response_converted(std::move(status), *next, std::move(bytes));
  }
}

void Relay::on_response_converted(Status status, const Conversion& conversion, std::string&& bytes) {
  if (answer_.is_finished()) {
    return;
  }
  if (!status.ok()) {
    fail(status);
    return;
  }
  protocol_->on_response_converted(conversion);
  deliver(std::move(bytes));
}

void Relay::deliver(std::string&& bytes) {
  if (!answer_.is_head_sent()) {
    if (const std::optional<AnswerHead> head = protocol_->answer_head(); head.has_value()) {
      answer_.send_head(*head);
      watch_idle_answer();
    }
  }
  if (answer_watch_ != nullptr) {
    answer_watch_->touch();
  }
  answer_.add(std::move(bytes));
}

void Relay::watch_idle_answer() {
  const std::chrono::milliseconds interval = route_settings().stream.event_keep_alive;
  if (protocol_->keep_alive().empty() || interval.count() == 0) {
    return;
  }
  answer_watch_ = std::make_unique<IdleWatch>(services_.loop, interval, [this] {
    if (exchange_.buffered() == 0) {
      answer_.add(std::string(protocol_->keep_alive()));
    }
    answer_watch_->start();
  });
}

void Relay::settle_response() {
  if (answer_.is_finished()) {
    return;
  }
  const size_t held = protocol_->held_response_bytes() + answer_.waiting_bytes();
  response_charge_.set(held > kUncountedBytes ? held : 0);
  if (call_ != nullptr && owed_response_ > 0 && response_work_ == nullptr &&
      exchange_.buffered() <= limits().exchange_window) {
    call_->consume(std::exchange(owed_response_, 0));
  }
}

std::unique_ptr<Offloaded> Relay::offload(Conversion&& conversion, Offloaded::OnDone on_done) {
  std::unique_ptr<Offloaded> work = Offloaded::start(services_.offload, services_.mailbox, snapshot_->snapshot,
                                                     std::move(conversion), std::move(on_done));
  if (work == nullptr) {
    fail(shed("offload", "too many large bodies wait to be transcoded"));
  }
  return work;
}

Status Relay::shed(std::string_view reason, std::string message) {
  services_.observer.on_shed(route_ != nullptr ? std::string_view(route_->backend) : std::string_view(), reason);
  return proxy_error(Code::Unavailable, std::move(message));
}

}  // namespace transom
