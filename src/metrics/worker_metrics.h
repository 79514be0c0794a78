// WorkerMetrics is what one worker counts: every request by route and outcome, every call by replica, what it shed and
// refused. Only the worker's own thread writes; Metrics reads all of them when it is scraped. A caller asks once for
// the series of a route or a replica and then counts on it without a lock or a look at a string. A lock is taken only
// where a label set is seen for the first time. Owned by Metrics, as long as the process.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/status.h"
#include "metrics/counter.h"

namespace transom {

// How the client spoke; the label `protocol`.
enum class ProtocolLabel : uint8_t { Http1, Http2, Grpc, GrpcWeb, Connect, WebSocket };
std::string_view protocol_label(ProtocolLabel protocol);

// "GET" and the other methods of RFC 9110 and PATCH; anything else is "other", so that clients cannot make up series.
std::string_view method_label(std::string_view method);

struct RequestOutcome {
  ProtocolLabel protocol = ProtocolLabel::Http1;
  uint16_t http_status = 0;
  int32_t grpc_status = 0;
  bool operator==(const RequestOutcome&) const = default;
};

// One label set {route, method, rpc} of one worker.
class RouteSeries {
 public:
  RouteSeries(std::string_view route, std::string_view method, std::string_view rpc);

  const std::string route;
  const std::string method;
  const std::string rpc;
  Counter begun;  // in flight: begun less ended
  Counter ended;
  Histogram duration{request_bounds()};

 private:
  friend class WorkerMetrics;
  struct Counted {
    explicit Counted(const RequestOutcome& of) : outcome(of) {}
    const RequestOutcome outcome;
    Counter requests;
  };
  std::vector<std::unique_ptr<Counted>> outcomes_;  // grows under WorkerMetrics::mutex_
};

// One label set {backend, replica} of one worker.
class ReplicaSeries {
 public:
  ReplicaSeries(std::string_view backend, std::string_view replica);

  static constexpr size_t kCodes = 18;  // 0 to 16, then all others
  const std::string backend;
  const std::string replica;
  Counter begun;
  Counter ended;
  std::array<Counter, kCodes> by_code;
  Histogram duration{request_bounds()};
};

class WorkerMetrics {
 public:
  explicit WorkerMetrics(size_t worker);
  WorkerMetrics(const WorkerMetrics&) = delete;
  WorkerMetrics& operator=(const WorkerMetrics&) = delete;

  // --- on the worker's thread
  // route: the template, "" when nothing matched, "*" for a pass-through. The reference stays valid.
  RouteSeries& route(std::string_view route, std::string_view method, std::string_view rpc);
  void begin_request(RouteSeries& series) { series.begun.add(); }
  void end_request(RouteSeries& series, const RequestOutcome& outcome, std::chrono::nanoseconds took);
  // A request that was refused before there was a route: it counts with route "", and has no duration.
  // method: "" when it was not read.
  // Returns the code.
  int32_t refuse_request(ProtocolLabel protocol, std::string_view method, uint16_t http_status);

  ReplicaSeries& replica(std::string_view backend, std::string_view replica);
  void begin_call(ReplicaSeries& series) { series.begun.add(); }
  void end_call(ReplicaSeries& series, Code code, std::chrono::nanoseconds took);
  // The replica has left: its series is gone with this, and nobody may hold it any more.
  void retire_replica(std::string_view backend, std::string_view replica);

  // backend: "" when it was shed before one was known.
  void shed(std::string_view backend, std::string_view reason) { named("shed", backend, reason).add(); }
  void retried(std::string_view backend, std::string_view replica) { named("retry", backend, replica).add(); }
  void channel_failed(std::string_view backend, std::string_view replica) { named("channel", backend, replica).add(); }
  // A slip in a request of that route that `strictness` let pass and reports.
  void tolerated(std::string_view route, std::string_view what) { named("tolerated", route, what).add(); }
  void accept_paused() { accept_pauses.add(); }
  void tls_failed() { tls_failures.add(); }
  void observe_lag(std::chrono::nanoseconds lag) { loop_lag.observe(lag); }

  Counter sessions_begun;
  Counter sessions_ended;
  Counter accept_pauses;
  Counter tls_failures;
  Histogram loop_lag{lag_bounds()};
  const size_t worker;

  // --- on any thread
  // Counted events of two labels.
  struct Named {
    std::string kind;  // "shed", "retry", "channel", "tolerated"
    std::string first;
    std::string second;
    Counter count;
  };
  // Calls back once per series, under the lock: what is visited must not be kept.
  template <class OnRoute, class OnOutcome>
  void visit_routes(OnRoute on_route, OnOutcome on_outcome) const {
    std::lock_guard lock(mutex_);
    for (const auto& series : routes_) {
      on_route(*series);
      for (const auto& counted : series->outcomes_) {
        on_outcome(*series, counted->outcome, counted->requests.value());
      }
    }
  }
  template <class OnReplica>
  void visit_replicas(OnReplica on_replica) const {
    std::lock_guard lock(mutex_);
    for (const auto& series : replicas_) {
      on_replica(*series);
    }
  }
  template <class OnNamed>
  void visit_named(OnNamed on_named) const {
    std::lock_guard lock(mutex_);
    for (const auto& entry : named_) {
      on_named(*entry);
    }
  }

 private:
  struct Key {
    std::array<std::string_view, 3> parts;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    size_t operator()(const Key& key) const;
  };
  void count_outcome(RouteSeries& series, const RequestOutcome& outcome);
  Counter& named(std::string_view kind, std::string_view first, std::string_view second);

  // Only the worker's thread looks things up, so the indices need no lock; keys are views of the series' own strings.
  std::unordered_map<Key, RouteSeries*, KeyHash> route_index_;
  std::unordered_map<Key, ReplicaSeries*, KeyHash> replica_index_;
  std::unordered_map<Key, Named*, KeyHash> named_index_;

  mutable std::mutex mutex_;  // taken to add a series, and to read
  std::vector<std::unique_ptr<RouteSeries>> routes_;
  std::vector<std::unique_ptr<ReplicaSeries>> replicas_;
  std::vector<std::unique_ptr<Named>> named_;
};

}  // namespace transom
