#include "metrics/collector.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "base/version.h"
#include "metrics/process_figures.h"

namespace transom {
namespace {

using prometheus::ClientMetric;
using prometheus::MetricFamily;
using prometheus::MetricType;
using Labels = std::vector<ClientMetric::Label>;
using Workers = std::span<const std::unique_ptr<WorkerMetrics>>;

double seconds_of(std::chrono::nanoseconds duration) { return std::chrono::duration<double>(duration).count(); }

// Histograms of several workers, added up.
struct HistogramSum {
  std::span<const std::chrono::nanoseconds> bounds;
  std::vector<int64_t> buckets;
  double sum_seconds = 0;

  void add(const Histogram& histogram) {
    bounds = histogram.bounds();
    buckets.resize(bounds.size() + 1);
    for (size_t i = 0; i < buckets.size(); ++i)
      buckets[i] += histogram.bucket(i);
    sum_seconds += seconds_of(histogram.sum());
  }
  ClientMetric::Histogram made() const {
    ClientMetric::Histogram result;
    for (size_t i = 0; i < buckets.size(); ++i) {
      result.sample_count += static_cast<uint64_t>(buckets[i]);
      if (i < bounds.size()) result.bucket.push_back({result.sample_count, seconds_of(bounds[i])});
    }
    result.sample_sum = sum_seconds;
    return result;
  }
};

MetricFamily counters(const char* name, const char* help, const std::map<Labels, int64_t>& values) {
  MetricFamily family{name, help, MetricType::Counter, {}};
  for (const auto& [labels, value] : values) {
    ClientMetric metric;
    metric.label = labels;
    metric.counter.value = static_cast<double>(value);
    family.metric.push_back(std::move(metric));
  }
  return family;
}

MetricFamily gauges(const char* name, const char* help, const std::map<Labels, double>& values) {
  MetricFamily family{name, help, MetricType::Gauge, {}};
  for (const auto& [labels, value] : values) {
    ClientMetric metric;
    metric.label = labels;
    metric.gauge.value = value;
    family.metric.push_back(std::move(metric));
  }
  return family;
}

MetricFamily histograms(const char* name, const char* help, const std::map<Labels, HistogramSum>& values) {
  MetricFamily family{name, help, MetricType::Histogram, {}};
  for (const auto& [labels, value] : values) {
    ClientMetric metric;
    metric.label = labels;
    metric.histogram = value.made();
    family.metric.push_back(std::move(metric));
  }
  return family;
}

void collect_requests(Workers workers, std::vector<MetricFamily>& families) {
  std::map<Labels, int64_t> requests;
  std::map<Labels, HistogramSum> durations;
  std::map<Labels, double> in_flight;
  const auto on_route = [&](const RouteSeries& series) {
    // Ended before begun, so that what ends in between cannot make the gauge negative.
    const int64_t ended = series.ended.value();
    in_flight[{{"route", series.route}}] += static_cast<double>(std::max<int64_t>(series.begun.value() - ended, 0));
    // Requests refused before a route was known have no duration.
    if (ended > 0) {
      durations[{{"route", series.route}, {"method", series.method}, {"rpc", series.rpc}}].add(series.duration);
    }
  };
  const auto on_outcome = [&](const RouteSeries& series, const RequestOutcome& outcome, int64_t count) {
    requests[{{"route", series.route},
              {"method", series.method},
              {"rpc", series.rpc},
              {"protocol", std::string(protocol_label(outcome.protocol))},
              {"http_status", std::to_string(outcome.http_status)},
              {"grpc_status", std::to_string(outcome.grpc_status)}}] += count;
  };
  for (const auto& worker : workers)
    worker->visit_routes(on_route, on_outcome);
  families.push_back(counters("transom_requests_total", "Requests answered, by route and outcome.", requests));
  families.push_back(histograms("transom_request_duration_seconds",
                                "From the request's head to the last byte of its answer.", durations));
  families.push_back(gauges("transom_requests_in_flight", "Requests begun and not yet answered.", in_flight));
}

void collect_replicas(Workers workers, std::vector<MetricFamily>& families) {
  std::map<Labels, int64_t> requests;
  std::map<Labels, HistogramSum> durations;
  std::map<Labels, double> in_flight;
  for (const auto& worker : workers) {
    worker->visit_replicas([&](const ReplicaSeries& series) {
      const Labels labels{{"backend", series.backend}, {"replica", series.replica}};
      const int64_t ended = series.ended.value();
      in_flight[labels] += static_cast<double>(std::max<int64_t>(series.begun.value() - ended, 0));
      durations[labels].add(series.duration);
      for (size_t code = 0; code < ReplicaSeries::kCodes; ++code) {
        if (const int64_t count = series.by_code[code].value(); count > 0) {
          Labels by_code = labels;
          by_code.push_back({"grpc_status", code + 1 < ReplicaSeries::kCodes ? std::to_string(code) : "other"});
          requests[by_code] += count;
        }
      }
    });
  }
  families.push_back(counters("transom_replica_requests_total", "Calls to replicas that ended, by code.", requests));
  families.push_back(
      histograms("transom_replica_request_duration_seconds", "From a call's start to its end.", durations));
  families.push_back(gauges("transom_replica_requests_in_flight", "Calls begun and not yet ended.", in_flight));
}

void collect_named(Workers workers, std::vector<MetricFamily>& families) {
  std::map<Labels, int64_t> shed;
  std::map<Labels, int64_t> tolerated;
  std::map<Labels, int64_t> retries;
  std::map<Labels, int64_t> failures;
  for (const auto& worker : workers) {
    worker->visit_named([&](const WorkerMetrics::Named& entry) {
      if (entry.kind == "shed") {
        shed[{{"backend", entry.first}, {"reason", entry.second}}] += entry.count.value();
      } else if (entry.kind == "tolerated") {
        tolerated[{{"route", entry.first}, {"what", entry.second}}] += entry.count.value();
      } else {
        auto& target = entry.kind == "retry" ? retries : failures;
        target[{{"backend", entry.first}, {"replica", entry.second}}] += entry.count.value();
      }
    });
  }
  families.push_back(counters("transom_shed_total", "Requests refused to stay within a bound.", shed));
  families.push_back(
      counters("transom_tolerated_total", "Requests that strictness reports, by what was wrong.", tolerated));
  families.push_back(
      counters("transom_retries_total", "Calls sent again elsewhere; the replica that refused.", retries));
  families.push_back(
      counters("transom_channel_failures_total", "Channels that broke or could not be opened.", failures));
}

void collect_sessions(Workers workers, std::vector<MetricFamily>& families) {
  double open = 0;
  int64_t pauses = 0;
  int64_t tls_failures = 0;
  std::map<Labels, HistogramSum> lag;
  for (const auto& worker : workers) {
    const int64_t ended = worker->sessions_ended.value();
    open += static_cast<double>(std::max<int64_t>(worker->sessions_begun.value() - ended, 0));
    pauses += worker->accept_pauses.value();
    tls_failures += worker->tls_failures.value();
    lag[{{"worker", std::to_string(worker->worker)}}].add(worker->loop_lag);
  }
  families.push_back(gauges("transom_sessions_open", "Client sessions open now.", {{{}, open}}));
  families.push_back(counters("transom_accept_pauses_total", "Times that accepting had to pause.", {{{}, pauses}}));
  families.push_back(counters("transom_tls_failures_total", "Handshakes that failed.", {{{}, tls_failures}}));
  families.push_back(histograms("transom_loop_lag_seconds", "How late a worker's loop comes round.", lag));
}

void collect_momentary(const MomentaryFigures& figures, std::vector<MetricFamily>& families) {
  std::map<Labels, double> up;
  std::map<Labels, double> queued;
  for (const auto& of : figures.replicas)
    up[{{"backend", of.backend}, {"replica", of.replica}}] = of.is_up ? 1 : 0;
  for (const auto& of : figures.backends)
    queued[{{"backend", of.backend}}] = static_cast<double>(of.queued);
  families.push_back(gauges("transom_replica_up", "1 if a channel to the replica is open.", up));
  families.push_back(gauges("transom_queue_depth", "Requests that wait for a replica.", queued));
  families.push_back(gauges("transom_memory_account_bytes", "Bytes that requests hold.",
                            {{{}, static_cast<double>(figures.memory_account_bytes)}}));
  families.push_back(gauges("transom_memory_budget_bytes", "The most that requests should hold.",
                            {{{}, static_cast<double>(figures.memory_budget_bytes)}}));
  families.push_back(counters("transom_log_dropped_total", "Access log lines dropped because the sink was full.",
                              {{{}, figures.log_dropped}}));
}

MetricFamily figure(const char* name, const char* help, MetricType type, double value) {
  ClientMetric metric;
  (type == MetricType::Counter ? metric.counter.value : metric.gauge.value) = value;
  return MetricFamily{name, help, type, {metric}};
}

void collect_process(std::vector<MetricFamily>& families) {
  const ProcessFigures now = read_process_figures();
  const auto gauge = [&](const char* name, const char* help, auto value) {
    families.push_back(figure(name, help, MetricType::Gauge, static_cast<double>(value)));
  };
  families.push_back(
      figure("process_cpu_seconds_total", "User and system time.", MetricType::Counter, now.cpu_seconds));
  gauge("process_start_time_seconds", "Start of the process, since the epoch.", now.start_time_seconds);
  gauge("process_resident_memory_bytes", "Resident memory.", now.resident_bytes);
  gauge("process_virtual_memory_bytes", "Virtual memory.", now.virtual_bytes);
  gauge("process_threads", "Threads.", now.threads);
  gauge("process_open_fds", "Open file descriptors.", now.open_fds);
  gauge("process_max_fds", "File descriptors that may be open.", now.max_fds);
  MetricFamily build = figure("transom_build_info", "Always 1.", MetricType::Gauge, 1);
  build.metric[0].label = {{"version", version()}, {"compiler", __VERSION__}};
  families.push_back(std::move(build));
}

}  // namespace

std::vector<MetricFamily> Collector::Collect() const {
  std::vector<MetricFamily> families;
  collect_requests(workers_, families);
  collect_replicas(workers_, families);
  collect_named(workers_, families);
  collect_sessions(workers_, families);
  if (momentary_ != nullptr) collect_momentary(*momentary_, families);
  collect_process(families);
  return families;
}

}  // namespace transom
