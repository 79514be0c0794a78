#include "local/health_service.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "local/local_bench.h"
#include "support/loop_runner.h"

namespace transom {
namespace {

using Kind = HealthService::Kind;

// Two backends: a.B is served by the first, a.C by both, p.Own by the proxy itself.
class HealthServiceTest : public testing::Test {
 protected:
  HealthServiceTest() {
    BackendOptions options;
    options.replicas.resize(1);
    for (const char* name : {"one", "two"}) {
      states_.push_back(BackendState::make(options));
      readiness_.add_backend(name, states_.back(), true);
    }
    use({{"a.B", {0}, nullptr}, {"a.C", {0, 1}, nullptr}, {"p.Own", {}, nullptr}});
  }

  void use(const std::vector<ServedService>& services) { served_ = std::make_shared<const ServedServices>(services); }

  std::unique_ptr<HealthService> make(Kind kind) {
    return std::make_unique<HealthService>(answer_, kind, readiness_, [this] { return served_; });
  }

  std::string request(const std::string& service) {
    return messages_.encode("grpc.health.v1.HealthCheckRequest", "service: \"" + service + "\"");
  }

  std::string last() {
    return answer_.messages.empty() ? "nothing"
                                    : messages_.decode("grpc.health.v1.HealthCheckResponse", answer_.messages.back());
  }

  std::string check(const std::string& service) {
    answer_.messages.clear();
    answer_.ended.reset();
    make(Kind::Check)->on_message(request(service));
    EXPECT_TRUE(answer_.ended.has_value());
    return answer_.ended->ok() ? last() : std::string(code_name(answer_.ended->code));
  }

  // What is told next, beyond what was told so far.
  std::string next() {
    const size_t before = answer_.messages.size();
    EXPECT_TRUE(run_until(loop_, [&] { return answer_.messages.size() > before; }));
    return last();
  }

  Loop loop_;
  AnswerRecord answer_{loop_};
  LocalMessages messages_;
  Readiness readiness_{ReadyRule::All};
  std::vector<std::shared_ptr<BackendState>> states_;
  ServedServicesPtr served_;
};

TEST_F(HealthServiceTest, CheckTellsOfTheWholeAndOfEachService) {
  states_[0]->worker_up(0);
  EXPECT_EQ(check(""), "status: NOT_SERVING");
  EXPECT_EQ(check("a.B"), "status: SERVING");
  EXPECT_EQ(check("a.C"), "status: NOT_SERVING");
  EXPECT_EQ(check("p.Own"), "status: SERVING");
  EXPECT_EQ(check("a.X"), "NOT_FOUND");
  states_[1]->worker_up(0);
  EXPECT_EQ(check(""), "status: SERVING");
  EXPECT_EQ(check("a.C"), "status: SERVING");
  readiness_.set_has_schema(0, false);
  EXPECT_EQ(check("a.B"), "status: NOT_SERVING");
  readiness_.set_has_schema(0, true);
  readiness_.set_draining();
  for (const char* service : {"", "a.B", "p.Own"}) {
    EXPECT_EQ(check(service), "status: NOT_SERVING");
  }
}

TEST_F(HealthServiceTest, WatchTellsTheStateAtOnceAndThenEachChange) {
  auto watch = make(Kind::Watch);
  watch->on_message(request("a.B"));
  EXPECT_EQ(last(), "status: NOT_SERVING");
  watch->on_half_close();
  states_[0]->worker_up(0);
  EXPECT_EQ(next(), "status: SERVING");
  run_for(loop_, 3 * kHealthWatchPause);
  EXPECT_EQ(answer_.messages.size(), 2u);
  states_[0]->worker_down(0);
  EXPECT_EQ(next(), "status: NOT_SERVING");
  EXPECT_FALSE(answer_.ended.has_value());
}

TEST_F(HealthServiceTest, AWatchedServiceMayComeLaterAndGoAgain) {
  auto watch = make(Kind::Watch);
  watch->on_message(request("a.Later"));
  EXPECT_EQ(last(), "status: SERVICE_UNKNOWN");
  use({{"a.Later", {}, nullptr}});
  EXPECT_EQ(next(), "status: SERVING");
  use({});
  EXPECT_EQ(next(), "status: SERVICE_UNKNOWN");
}

TEST_F(HealthServiceTest, AWatchEndsWithTheDrain) {
  auto watch = make(Kind::Watch);
  watch->on_message(request("p.Own"));
  readiness_.set_draining();
  EXPECT_EQ(next(), "status: NOT_SERVING");
  EXPECT_EQ(answer_.ended->code, Code::Unavailable);
}

TEST_F(HealthServiceTest, ACallHasOneMessageThatCanBeRead) {
  for (const Kind kind : {Kind::Check, Kind::Watch}) {
    answer_.ended.reset();
    make(kind)->on_half_close();
    EXPECT_EQ(answer_.ended->code, Code::Unimplemented);
    make(kind)->on_message("\x0a\x7f");
    EXPECT_EQ(answer_.ended->code, Code::Internal);
  }
  auto watch = make(Kind::Watch);
  watch->on_message(request(""));
  watch->on_message(request(""));
  EXPECT_EQ(answer_.ended->code, Code::Unimplemented);
}

}  // namespace
}  // namespace transom
