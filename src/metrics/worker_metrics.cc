#include "metrics/worker_metrics.h"

#include <algorithm>
#include <functional>

namespace transom {
namespace {

// More distinct outcomes than this on one route are counted as the last one: a replica may send any number as its code.
constexpr size_t kOutcomesMax = 256;

// The code in the body of an answer that was refused before a route was known.
int32_t code_of_refusal(uint16_t http_status) {
  switch (http_status) {
    case 408:
      return static_cast<int32_t>(Code::DeadlineExceeded);
    case 413:
    case 429:
    case 431:
      return static_cast<int32_t>(Code::ResourceExhausted);
    case 404:
      return static_cast<int32_t>(Code::NotFound);
    case 405:
    case 501:
      return static_cast<int32_t>(Code::Unimplemented);
    case 499:
      return static_cast<int32_t>(Code::Cancelled);
    case 500:
      return static_cast<int32_t>(Code::Internal);
    case 503:
      return static_cast<int32_t>(Code::Unavailable);
    default:
      return static_cast<int32_t>(Code::InvalidArgument);
  }
}

}  // namespace

std::string_view protocol_label(ProtocolLabel protocol) {
  switch (protocol) {
    case ProtocolLabel::Http1:
      return "http1";
    case ProtocolLabel::Http2:
      return "http2";
    case ProtocolLabel::Grpc:
      return "grpc";
    case ProtocolLabel::GrpcWeb:
      return "grpc_web";
    case ProtocolLabel::Connect:
      return "connect";
    case ProtocolLabel::WebSocket:
      return "websocket";
  }
  return "";
}

std::string_view method_label(std::string_view method) {
  static constexpr std::array<std::string_view, 9> kKnown{"GET",  "POST",    "PUT",     "PATCH", "DELETE",
                                                          "HEAD", "OPTIONS", "CONNECT", "TRACE"};
  for (std::string_view known : kKnown) {
    if (method == known) return known;
  }
  return method.empty() ? "" : "other";
}

RouteSeries::RouteSeries(std::string_view route, std::string_view method, std::string_view rpc)
    : route(route), method(method), rpc(rpc) {}

ReplicaSeries::ReplicaSeries(std::string_view backend, std::string_view replica) : backend(backend), replica(replica) {}

WorkerMetrics::WorkerMetrics(size_t worker) : worker(worker) {}

size_t WorkerMetrics::KeyHash::operator()(const Key& key) const {
  size_t hash = 0;
  for (std::string_view part : key.parts) {
    hash = hash * 31 + std::hash<std::string_view>{}(part);
  }
  return hash;
}

RouteSeries& WorkerMetrics::route(std::string_view route, std::string_view method, std::string_view rpc) {
  method = method_label(method);
  if (auto found = route_index_.find(Key{{route, method, rpc}}); found != route_index_.end()) {
    return *found->second;
  }
  auto made = std::make_unique<RouteSeries>(route, method, rpc);
  RouteSeries& series = *made;
  route_index_.emplace(Key{{series.route, series.method, series.rpc}}, &series);
  std::lock_guard lock(mutex_);
  routes_.push_back(std::move(made));
  return series;
}

void WorkerMetrics::end_request(RouteSeries& series, const RequestOutcome& outcome, std::chrono::nanoseconds took) {
  series.ended.add();
  series.duration.observe(took);
  count_outcome(series, outcome);
}

int32_t WorkerMetrics::refuse_request(ProtocolLabel protocol, std::string_view method, uint16_t http_status) {
  const int32_t code = code_of_refusal(http_status);
  count_outcome(route("", method, ""), {protocol, http_status, code});
  return code;
}

void WorkerMetrics::count_outcome(RouteSeries& series, const RequestOutcome& outcome) {
  for (const auto& counted : series.outcomes_) {
    if (counted->outcome == outcome) {
      counted->requests.add();
      return;
    }
  }
  if (series.outcomes_.size() >= kOutcomesMax) {
    series.outcomes_.back()->requests.add();
    return;
  }
  auto made = std::make_unique<RouteSeries::Counted>(outcome);
  made->requests.add();
  std::lock_guard lock(mutex_);
  series.outcomes_.push_back(std::move(made));
}

ReplicaSeries& WorkerMetrics::replica(std::string_view backend, std::string_view replica) {
  if (auto found = replica_index_.find(Key{{backend, replica, ""}}); found != replica_index_.end()) {
    return *found->second;
  }
  auto made = std::make_unique<ReplicaSeries>(backend, replica);
  ReplicaSeries& series = *made;
  replica_index_.emplace(Key{{series.backend, series.replica, ""}}, &series);
  std::lock_guard lock(mutex_);
  replicas_.push_back(std::move(made));
  return series;
}

void WorkerMetrics::end_call(ReplicaSeries& series, Code code, std::chrono::nanoseconds took) {
  const auto number = static_cast<size_t>(static_cast<uint32_t>(code));
  series.ended.add();
  series.by_code[std::min(number, ReplicaSeries::kCodes - 1)].add();
  series.duration.observe(took);
}

void WorkerMetrics::retire_replica(std::string_view backend, std::string_view replica) {
  const auto found = replica_index_.find(Key{{backend, replica, ""}});
  if (found == replica_index_.end()) return;
  const ReplicaSeries* series = found->second;
  replica_index_.erase(found);
  std::lock_guard lock(mutex_);
  std::erase_if(replicas_, [series](const auto& held) { return held.get() == series; });
}

Counter& WorkerMetrics::named(std::string_view kind, std::string_view first, std::string_view second) {
  if (auto found = named_index_.find(Key{{kind, first, second}}); found != named_index_.end()) {
    return found->second->count;
  }
  auto made = std::make_unique<Named>();
  made->kind = kind;
  made->first = first;
  made->second = second;
  Named& entry = *made;
  named_index_.emplace(Key{{entry.kind, entry.first, entry.second}}, &entry);
  std::lock_guard lock(mutex_);
  named_.push_back(std::move(made));
  return entry.count;
}

}  // namespace transom
