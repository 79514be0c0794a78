#include "metrics/metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace transom {
namespace {

using std::chrono::milliseconds;
using testing::HasSubstr;

// The names and labels that the documentation promises, as the Prometheus text format writes them.
TEST(Metrics, ThePageHasEveryPromisedSeries) {
  Metrics metrics(1);
  WorkerMetrics& worker = metrics.worker(0);
  RouteSeries& route = worker.route("/v1/models/{model_name}:predict", "POST", "bench.v1.Predictor/Predict");
  worker.begin_request(route);
  worker.end_request(route, {ProtocolLabel::Http1, 200, 0}, milliseconds(1));
  ReplicaSeries& replica = worker.replica("iris", "127.0.0.1:50051");
  worker.begin_call(replica);
  worker.end_call(replica, Code::Unavailable, milliseconds(1));
  worker.shed("iris", "memory");
  worker.observe_lag(milliseconds(1));
  metrics.set_momentary([] {
    return MomentaryFigures{{{"iris", "127.0.0.1:50051", true}}, {{"iris", 7}}, 1024, 4096, 3};
  });
  const std::string page = metrics.text();
  for (const char* line : {
           "transom_requests_total{route=\"/v1/models/{model_name}:predict\",method=\"POST\","
           "rpc=\"bench.v1.Predictor/Predict\",protocol=\"http1\",http_status=\"200\",grpc_status=\"0\"} 1\n",
           "transom_request_duration_seconds_count{route=\"/v1/models/{model_name}:predict\",method=\"POST\","
           "rpc=\"bench.v1.Predictor/Predict\"} 1\n",
           "transom_requests_in_flight{route=\"/v1/models/{model_name}:predict\"} 0\n",
           "transom_replica_requests_total{backend=\"iris\",replica=\"127.0.0.1:50051\",grpc_status=\"14\"} 1\n",
           "transom_replica_request_duration_seconds_count{backend=\"iris\",replica=\"127.0.0.1:50051\"} 1\n",
           "transom_replica_requests_in_flight{backend=\"iris\",replica=\"127.0.0.1:50051\"} 0\n",
           "transom_replica_up{backend=\"iris\",replica=\"127.0.0.1:50051\"} 1\n",
           "transom_queue_depth{backend=\"iris\"} 7\n",
           "transom_loop_lag_seconds_count{worker=\"0\"} 1\n",
           "transom_shed_total{backend=\"iris\",reason=\"memory\"} 1\n",
           "transom_memory_account_bytes 1024\n",
           "transom_log_dropped_total 3\n",
           "# TYPE transom_requests_total counter\n",
           "# TYPE transom_request_duration_seconds histogram\n",
           "transom_build_info{version=",
           "process_resident_memory_bytes ",
       }) {
    EXPECT_THAT(page, HasSubstr(line));
  }
}

TEST(Metrics, SessionsOpenAreThoseOfAllWorkers) {
  Metrics metrics(2);
  metrics.worker(0).sessions_begun.add(3);
  metrics.worker(0).sessions_ended.add(1);
  metrics.worker(1).sessions_begun.add(4);
  EXPECT_EQ(metrics.sessions_open(), 6);
}

TEST(Metrics, ALabelFromAClientCannotBreakThePage) {
  Metrics metrics(1);
  metrics.worker(0).shed("a\"b\nc\\d", "x");
  EXPECT_THAT(metrics.text(), HasSubstr("backend=\"a\\\"b\\nc\\\\d\""));
}

}  // namespace
}  // namespace transom
