#include "server/worker_observer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "metrics/metrics.h"
#include "support/temp_folder.h"

namespace transom {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string read_file(const std::string& path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

class ObserverTest : public testing::Test {
 protected:
  ObserverTest() { std::remove(path_.c_str()); }

  // What the observer made of it: the metrics page and both logs in one file.
  template <class Tell>
  void observe(Tell tell) {
    {
      LineThread thread;
      auto sink = LineSink::open(thread, path_);
      ASSERT_TRUE(sink.ok());
      AccessLog access(**sink, AccessFields());
      ProcessLog log(**sink, LogLevel::Info);
      WorkerObserver observer(metrics_.worker(0), access, log);
      tell(observer, log);
    }
    log_ = read_file(path_);
    page_ = metrics_.text();
  }

  const std::string path_ = temp_folder() + "worker_observer_test.log";
  Metrics metrics_{1};
  std::string log_;
  std::string page_;
};

TEST_F(ObserverTest, ARequestIsCountedAndLoggedUnderItsRoute) {
  Route route;
  route.method = "GET";
  route.label = "/v1/{name}";
  route.rpc = "a.B/C";
  RequestHead head;
  head.method = "HEAD";
  head.target = "/v1/x";
  observe([&](WorkerObserver& observer, ProcessLog&) {
    RequestRecord record;
    record.head = &head;
    record.route = &route;
    record.rpc = route.rpc;
    record.request_id = "id-1";
    record.http_status = 200;
    record.slips.add(Slip::UnusedBody);
    record.slips.add(Slip::UnknownField);
    observer.on_request_begin(head, route);
    observer.on_request_end(record);
    observer.on_request_begin(head, route);
  });
  EXPECT_THAT(page_, HasSubstr("transom_requests_total{route=\"/v1/{name}\",method=\"HEAD\",rpc=\"a.B/C\","
                               "protocol=\"http1\",http_status=\"200\",grpc_status=\"0\"} 1\n"));
  EXPECT_THAT(page_, HasSubstr("transom_requests_in_flight{route=\"/v1/{name}\"} 1\n"));
  EXPECT_THAT(page_, HasSubstr("transom_tolerated_total{route=\"/v1/{name}\",what=\"unused_body\"} 1\n"));
  EXPECT_THAT(page_, HasSubstr("transom_tolerated_total{route=\"/v1/{name}\",what=\"unknown_field\"} 1\n"));
  EXPECT_THAT(log_, HasSubstr("\"tolerated\":\"unknown_field,unused_body\""));
  EXPECT_THAT(log_, HasSubstr("\"request_id\":\"id-1\""));
  EXPECT_THAT(log_, HasSubstr("\"route\":\"/v1/{name}\""));
}

TEST_F(ObserverTest, ARequestWithoutARouteIsCountedAndNeverInFlight) {
  RequestHead head;
  head.method = "GET";
  observe([&](WorkerObserver& observer, ProcessLog&) {
    RequestRecord record;
    record.head = &head;
    record.http_status = 404;
    record.grpc_status = 5;
    observer.on_request_end(record);
  });
  EXPECT_THAT(page_, HasSubstr("transom_requests_total{route=\"\",method=\"GET\",rpc=\"\",protocol=\"http1\","
                               "http_status=\"404\",grpc_status=\"5\"} 1\n"));
  EXPECT_THAT(page_, HasSubstr("transom_requests_in_flight{route=\"\"} 0\n"));
}

TEST_F(ObserverTest, ARefusalIsCountedAndLogged) {
  observe([&](WorkerObserver& observer, ProcessLog&) {
    RequestHead head;
    head.method = "PUT";
    head.target = "/v1/x";
    observer.on_refused({HttpVersion::Http2, 431, "too many headers", "id-9", "[::1]:5000", head});
    observer.on_session_open();
    observer.on_tls_failed("10.0.0.1:5", "no shared cipher");
    observer.on_accept_paused("too many open files");
    observer.on_shed("iris", "memory");
  });
  EXPECT_THAT(page_, HasSubstr("method=\"PUT\",rpc=\"\",protocol=\"http2\",http_status=\"431\",grpc_status=\"8\"} 1\n"));
  EXPECT_THAT(page_, HasSubstr("transom_sessions_open 1\n"));
  EXPECT_THAT(page_, HasSubstr("transom_tls_failures_total 1\n"));
  EXPECT_THAT(page_, HasSubstr("transom_accept_pauses_total 1\n"));
  EXPECT_THAT(page_, HasSubstr("transom_shed_total{backend=\"iris\",reason=\"memory\"} 1\n"));
  EXPECT_THAT(log_, HasSubstr("too many headers"));
  for (const char* part : {"\"request_id\":\"id-9\"", "\"client\":\"::1\"", "\"method\":\"PUT\"", "\"target\":\"/v1/x\""})
    EXPECT_THAT(log_, HasSubstr(part));
  EXPECT_THAT(log_, HasSubstr("too many open files"));
}

TEST_F(ObserverTest, CallsAreCountedByReplicaAndOneWorkerSpeaks) {
  observe([&](WorkerObserver&, ProcessLog& log) {
    ReplicaObserver speaker("iris", metrics_.worker(0), log, true);
    ReplicaObserver silent("iris", metrics_.worker(0), log, false);
    speaker.on_replica_call_begin("h:1");
    silent.on_replica_call_begin("h:1");
    silent.on_replica_call_end("h:1", Code::Unavailable, std::chrono::milliseconds(3));
    speaker.on_replica_up("h:1", true);
    silent.on_channel_failed("h:2", "refused");
    speaker.on_retry("h:1", "GOAWAY");
    speaker.on_call_refused();
  });
  EXPECT_THAT(page_,
              HasSubstr("transom_replica_requests_total{backend=\"iris\",replica=\"h:1\",grpc_status=\"14\"} 1\n"));
  EXPECT_THAT(page_, HasSubstr("transom_replica_requests_in_flight{backend=\"iris\",replica=\"h:1\"} 1\n"));
  EXPECT_THAT(page_, HasSubstr("transom_retries_total{backend=\"iris\",replica=\"h:1\"} 1\n"));
  EXPECT_THAT(page_, HasSubstr("transom_channel_failures_total{backend=\"iris\",replica=\"h:2\"} 1\n"));
  EXPECT_THAT(page_, HasSubstr("transom_shed_total{backend=\"iris\",reason=\"queue\"} 1\n"));
  EXPECT_THAT(log_, HasSubstr("replica is up"));
  EXPECT_THAT(log_, Not(HasSubstr("channel failed")));
}

}  // namespace
}  // namespace transom
