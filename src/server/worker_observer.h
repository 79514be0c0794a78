// WorkerObserver turns what http, net and proxy tell of one worker into its metrics and the access log.
// ReplicaObserver does the same for one backend. Owned by the worker; its thread only.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "backend/backend.h"
#include "http/session.h"
#include "log/access_log.h"
#include "log/process_log.h"
#include "metrics/worker_metrics.h"
#include "net/listener.h"
#include "proxy/request_record.h"
#include "proxy/snapshot.h"

namespace transom {

class WorkerObserver final : public RequestObserver, public HttpObserver, public NetObserver {
 public:
  // All must outlive this.
  WorkerObserver(WorkerMetrics& metrics, AccessLog& access, ProcessLog& log)
      : metrics_(metrics), access_(access), log_(log) {}
  virtual ~WorkerObserver() = default;

  // The snapshot that new requests use: their series are looked up once, here.
  void set_snapshot(const Snapshot& snapshot);

  void set_on_session_end(std::function<void()> on_session_end) { on_session_end_ = std::move(on_session_end); }

  void on_request_begin(const RequestHead& head, const Route& route) override;
  void on_request_end(const RequestRecord& record) override;
  void on_shed(std::string_view backend, std::string_view reason) override;

  void on_refused(const RefusedRequest& request) override;
  void on_session_open() override { metrics_.sessions_begun.add(); }
  void on_session_end() override {
    metrics_.sessions_ended.add();
    if (on_session_end_) on_session_end_();
  }

  void on_accept_paused(const std::string& reason) override;
  void on_tls_failed(const std::string& peer, const std::string& reason) override;

 private:
  RouteSeries& series_of(const Route& route, std::string_view method);

  WorkerMetrics& metrics_;
  AccessLog& access_;
  ProcessLog& log_;
  std::function<void()> on_session_end_;
  // Routes of the current snapshot alone, so that an address can never mean another route. A request of an older
  // snapshot, or with a method that is not its route's own (HEAD), is looked up by its labels.
  std::unordered_map<const Route*, RouteSeries*> series_;
};

class ReplicaObserver final : public BackendObserver {
 public:
  // is_speaker: one worker alone speaks in the process log of what all of them see.
  ReplicaObserver(std::string backend, WorkerMetrics& metrics, ProcessLog& log, bool is_speaker)
      : backend_(std::move(backend)), metrics_(metrics), log_(log), is_speaker_(is_speaker) {}
  virtual ~ReplicaObserver() = default;

  void on_replica_up(const std::string& replica, bool is_up) override;
  void on_replica_call_begin(const std::string& replica) override;
  void on_replica_call_end(const std::string& replica, Code code, std::chrono::nanoseconds took) override;
  void on_call_refused() override { metrics_.shed(backend_, "queue"); }
  void on_retry(const std::string& replica, const std::string& reason) override;
  void on_channel_failed(const std::string& replica, const std::string& reason) override;

 private:
  ReplicaSeries& series_of(const std::string& replica);

  const std::string backend_;
  WorkerMetrics& metrics_;
  ProcessLog& log_;
  const bool is_speaker_;
  std::unordered_map<std::string, ReplicaSeries*> series_;
};

}  // namespace transom
