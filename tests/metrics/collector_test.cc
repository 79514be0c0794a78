#include "metrics/collector.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace transom {
namespace {

using std::chrono::milliseconds;

TEST(Collector, AddsUpWhatTheWorkersCounted) {
  std::vector<std::unique_ptr<WorkerMetrics>> workers;
  for (size_t i = 0; i < 3; ++i) {
    workers.push_back(std::make_unique<WorkerMetrics>(i));
    RouteSeries& series = workers[i]->route("/v1", "POST", "p.S/M");
    for (size_t n = 0; n <= i; ++n) {
      workers[i]->begin_request(series);
      workers[i]->end_request(series, {ProtocolLabel::Http2, 200, 0}, milliseconds(3));
    }
    workers[i]->begin_request(series);
  }
  std::map<std::string, prometheus::MetricFamily> families;
  for (auto& family : Collector(workers, nullptr).Collect())
    families[family.name] = family;
  ASSERT_EQ(families["transom_requests_total"].metric.size(), 1u);
  EXPECT_EQ(families["transom_requests_total"].metric[0].counter.value, 6);
  EXPECT_EQ(families["transom_requests_in_flight"].metric[0].gauge.value, 3);
  const auto& histogram = families["transom_request_duration_seconds"].metric[0].histogram;
  EXPECT_EQ(histogram.sample_count, 6u);
  EXPECT_DOUBLE_EQ(histogram.sample_sum, 0.018);
  EXPECT_EQ(histogram.bucket.back().cumulative_count, 6u);
  EXPECT_EQ(families["transom_loop_lag_seconds"].metric.size(), 3u);
}

TEST(Collector, ARefusedRequestHasNoDuration) {
  std::vector<std::unique_ptr<WorkerMetrics>> workers;
  workers.push_back(std::make_unique<WorkerMetrics>(0));
  workers[0]->refuse_request(ProtocolLabel::Http1, "GET", 400);
  std::map<std::string, size_t> series;
  for (const auto& family : Collector(workers, nullptr).Collect())
    series[family.name] = family.metric.size();
  EXPECT_EQ(series["transom_requests_total"], 1u);
  EXPECT_EQ(series["transom_request_duration_seconds"], 0u);
}

}  // namespace
}  // namespace transom
