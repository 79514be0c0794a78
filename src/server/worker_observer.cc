#include "server/worker_observer.h"

#include "proxy/client_address.h"

namespace transom {

void WorkerObserver::set_snapshot(const Snapshot& snapshot) {
  series_.clear();
  for (const auto& route : snapshot.router->routes()) {
    series_.emplace(route.get(), &metrics_.route(route->label, route->method, route->rpc));
  }
}

RouteSeries& WorkerObserver::series_of(const Route& route, std::string_view method) {
  if (route.method == method) {
    if (const auto found = series_.find(&route); found != series_.end()) return *found->second;
  }
  return metrics_.route(route.label, method, route.rpc);
}

void WorkerObserver::on_request_begin(const RequestHead& head, const Route& route) {
  metrics_.begin_request(series_of(route, head.method));
}

void WorkerObserver::on_request_end(const RequestRecord& record) {
  const RequestOutcome outcome{record.protocol, record.http_status, record.grpc_status};
  if (record.route != nullptr) {
    metrics_.end_request(series_of(*record.route, record.head->method), outcome, record.duration);
  } else {
    RouteSeries& series = metrics_.route(record.route_label, record.head->method, record.rpc);
    metrics_.begin_request(series);
    metrics_.end_request(series, outcome, record.duration);
  }
  for (size_t i = 0; record.route != nullptr && !record.slips.empty() && i < kSlips; ++i) {
    const auto slip = static_cast<Slip>(i);
    if (record.slips.has(slip)) metrics_.tolerated(record.route->label, slip_name(slip));
  }
  if (!access_.is_on()) return;
  const std::string tolerated = record.slips.text();
  AccessRecord line;
  line.time = std::chrono::system_clock::now() -
              std::chrono::duration_cast<std::chrono::system_clock::duration>(record.duration);
  line.request_id = record.request_id;
  line.client = record.client;
  line.method = record.head->method;
  line.target = record.head->target;
  line.host = record.head->authority;
  line.route = record.route != nullptr ? record.route->label : record.route_label;
  line.rpc = record.rpc;
  line.protocol = protocol_label(record.protocol);
  line.backend = record.backend;
  line.replica = record.replica;
  line.http_status = record.http_status;
  line.grpc_status = record.grpc_status;
  line.error = record.error;
  line.bytes_in = static_cast<int64_t>(record.bytes_in);
  line.bytes_out = static_cast<int64_t>(record.bytes_out);
  line.request_content_type = record.request_content_type;
  line.response_content_type = record.response_content_type;
  line.tolerated = tolerated;
  line.duration = record.duration;
  line.waiting = record.waiting;
  line.replica_duration = record.replica_duration;
  access_.write(line);
}

void WorkerObserver::on_shed(std::string_view backend, std::string_view reason) { metrics_.shed(backend, reason); }

void WorkerObserver::on_refused(const RefusedRequest& request) {
  const ProtocolLabel protocol = request.version == HttpVersion::Http1 ? ProtocolLabel::Http1 : ProtocolLabel::Http2;
  const int32_t code = metrics_.refuse_request(protocol, request.head.method, request.http_status);
  if (!access_.is_on()) return;
  AccessRecord line;
  line.time = std::chrono::system_clock::now();
  line.request_id = request.request_id;
  line.client = address_of_peer(request.peer);
  line.method = request.head.method;
  line.target = request.head.target;
  line.host = request.head.authority;
  line.protocol = protocol_label(protocol);
  line.http_status = request.http_status;
  line.grpc_status = code;
  line.error = request.reason;
  access_.write(line);
}

void WorkerObserver::on_accept_paused(const std::string& reason) {
  metrics_.accept_paused();
  log_.warning("accepting pauses", {{"reason", reason}});
}

void WorkerObserver::on_tls_failed(const std::string& peer, const std::string& reason) {
  metrics_.tls_failed();
  log_.debug("a TLS handshake failed", {{"client", peer}, {"reason", reason}});
}

ReplicaSeries& ReplicaObserver::series_of(const std::string& replica) {
  ReplicaSeries*& series = series_[replica];
  if (series == nullptr) series = &metrics_.replica(backend_, replica);
  return *series;
}

void ReplicaObserver::on_replica_up(const std::string& replica, bool is_up) {
  log_.write(is_speaker_ ? LogLevel::Info : LogLevel::Debug, is_up ? "replica is up" : "replica is down",
             {{"backend", backend_}, {"replica", replica}});
}

void ReplicaObserver::on_replica_call_begin(const std::string& replica) { metrics_.begin_call(series_of(replica)); }

void ReplicaObserver::on_replica_call_end(const std::string& replica, Code code, std::chrono::nanoseconds took) {
  metrics_.end_call(series_of(replica), code, took);
}

void ReplicaObserver::on_retry(const std::string& replica, const std::string& reason) {
  metrics_.retried(backend_, replica);
  log_.debug("a call is sent again", {{"backend", backend_}, {"replica", replica}, {"reason", reason}});
}

void ReplicaObserver::on_channel_failed(const std::string& replica, const std::string& reason) {
  metrics_.channel_failed(backend_, replica);
  log_.write(is_speaker_ ? LogLevel::Warning : LogLevel::Debug, "channel failed",
             {{"backend", backend_}, {"replica", replica}, {"reason", reason}});
}

}  // namespace transom
