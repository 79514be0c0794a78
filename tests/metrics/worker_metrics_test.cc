#include "metrics/worker_metrics.h"

#include <gtest/gtest.h>

#include <map>
#include <thread>

namespace transom {
namespace {

using std::chrono::milliseconds;

int64_t requests_of(const WorkerMetrics& metrics, const RequestOutcome& outcome) {
  int64_t found = 0;
  metrics.visit_routes([](const RouteSeries&) {},
                       [&](const RouteSeries&, const RequestOutcome& counted, int64_t count) {
                         if (counted == outcome) found += count;
                       });
  return found;
}

TEST(WorkerMetrics, OneLabelSetIsOneSeries) {
  WorkerMetrics metrics(0);
  RouteSeries& first = metrics.route("/v1/{name}", "GET", "p.S/M");
  EXPECT_EQ(&first, &metrics.route("/v1/{name}", "GET", "p.S/M"));
  EXPECT_NE(&first, &metrics.route("/v1/{name}", "HEAD", "p.S/M"));
  EXPECT_NE(&first, &metrics.route("/v1/{name}", "GET", "p.S/N"));
  EXPECT_NE(&first, &metrics.route("/v2/{name}", "GET", "p.S/M"));
}

TEST(WorkerMetrics, AMadeUpMethodMakesNoSeriesOfItsOwn) {
  WorkerMetrics metrics(0);
  EXPECT_EQ(&metrics.route("", "BREW", ""), &metrics.route("", "WHEN", ""));
  EXPECT_EQ(metrics.route("", "BREW", "").method, "other");
}

TEST(WorkerMetrics, CountsEachOutcomeOfARouteApart) {
  WorkerMetrics metrics(0);
  RouteSeries& series = metrics.route("/v1/{name}", "GET", "p.S/M");
  const RequestOutcome good{ProtocolLabel::Http1, 200, 0};
  const RequestOutcome bad{ProtocolLabel::Http1, 503, 14};
  for (const RequestOutcome& outcome : {good, bad, good}) {
    metrics.begin_request(series);
    metrics.end_request(series, outcome, milliseconds(2));
  }
  EXPECT_EQ(requests_of(metrics, good), 2);
  EXPECT_EQ(requests_of(metrics, bad), 1);
  EXPECT_EQ(series.begun.value(), series.ended.value());
}

TEST(WorkerMetrics, AReplicaThatMakesUpCodesCannotMakeSeriesWithoutBound) {
  WorkerMetrics metrics(0);
  RouteSeries& series = metrics.route("/v1", "GET", "");
  for (int32_t code = 0; code < 10'000; ++code) {
    metrics.end_request(series, {ProtocolLabel::Grpc, 200, code}, milliseconds(1));
  }
  int kinds = 0;
  int64_t total = 0;
  metrics.visit_routes([](const RouteSeries&) {},
                       [&](const RouteSeries&, const RequestOutcome&, int64_t count) {
                         ++kinds;
                         total += count;
                       });
  EXPECT_LE(kinds, 256);
  EXPECT_EQ(total, 10'000);
}

// The statuses and codes of the contract for what is refused before a route is known.
TEST(WorkerMetrics, ARefusalCountsWithTheCodeOfItsBody) {
  const std::map<uint16_t, int32_t> codes{{400, 3}, {408, 4}, {413, 8}, {431, 8}, {501, 12}, {503, 14}, {404, 5}};
  for (const auto& [status, code] : codes) {
    WorkerMetrics metrics(0);
    metrics.refuse_request(ProtocolLabel::Http2, "", status);
    EXPECT_EQ(requests_of(metrics, {ProtocolLabel::Http2, status, code}), 1) << status;
  }
}

TEST(WorkerMetrics, ARetiredReplicaIsGoneAndMayComeBack) {
  WorkerMetrics metrics(0);
  metrics.end_call(metrics.replica("iris", "a:1"), Code::Ok, milliseconds(1));
  metrics.end_call(metrics.replica("iris", "b:1"), static_cast<Code>(4711), milliseconds(1));
  metrics.retire_replica("iris", "a:1");
  std::vector<std::string> left;
  metrics.visit_replicas([&](const ReplicaSeries& series) { left.push_back(series.replica); });
  EXPECT_EQ(left, std::vector<std::string>{"b:1"});
  EXPECT_EQ(metrics.replica("b", "a:1").ended.value(), 0);
  EXPECT_EQ(metrics.replica("iris", "a:1").ended.value(), 0);
  EXPECT_EQ(metrics.replica("iris", "b:1").by_code.back().value(), 1);
}

TEST(WorkerMetrics, IsReadWhileItsOwnerMakesSeries) {
  WorkerMetrics metrics(0);
  std::thread owner([&] {
    for (int i = 0; i < 500; ++i) {
      RouteSeries& series = metrics.route("/v1/" + std::to_string(i), "GET", "");
      metrics.end_request(series, {ProtocolLabel::Http1, 200, 0}, milliseconds(1));
      metrics.shed("iris", std::to_string(i));
    }
  });
  const RequestOutcome good{ProtocolLabel::Http1, 200, 0};
  while (requests_of(metrics, good) < 500)
    std::this_thread::yield();
  owner.join();
  EXPECT_EQ(requests_of(metrics, good), 500);
}

}  // namespace
}  // namespace transom
