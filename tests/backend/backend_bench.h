// BackendBench is a Backend over given replicas on a Loop of its own, with what its observer heard, for tests.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "backend/backend.h"
#include "support/call_record.h"
#include "support/loop_runner.h"

namespace transom {

class BackendRecord final : public BackendObserver {
 public:
  void on_replica_up(const std::string& replica, bool is_up) override { ups.push_back((is_up ? "+" : "-") + replica); }
  void on_replica_call_begin(const std::string& replica) override { ++begun[replica]; }
  void on_replica_call_end(const std::string& replica, Code code, std::chrono::nanoseconds /*took*/) override {
    ++ended[replica];
    codes.push_back(code);
  }
  void on_call_refused() override { ++refused; }
  void on_retry(const std::string& replica, const std::string& reason) override {
    retries.push_back(replica + " " + reason);
  }
  void on_channel_failed(const std::string& replica, const std::string& reason) override {
    failures.push_back(replica + " " + reason);
  }

  std::vector<std::string> ups;
  std::map<std::string, int> begun;
  std::map<std::string, int> ended;
  std::vector<Code> codes;
  int refused = 0;
  std::vector<std::string> retries;
  std::vector<std::string> failures;
};

// Connects to the addresses as if they were configured so.
inline BackendOptions backend_options(const std::vector<std::string>& addresses) {
  BackendOptions options;
  options.name = "iris";
  for (const std::string& address : addresses) {
    options.replicas.push_back({.address = *parse_address(address), .name = address, .weight = 1});
  }
  return options;
}

class BackendBench {
 public:
  BackendBench(Loop& made_on, const BackendOptions& options)
      : loop(made_on), state(BackendState::make(options)), account(size_t{1} << 30) {
    backend = Backend::make(loop, options, state, &account, &record);
    backend->open();
  }

  bool run(const std::function<bool()>& is_done, std::chrono::milliseconds timeout = std::chrono::seconds(10)) {
    return run_until(loop, is_done, timeout);
  }
  // Every replica, or one of them, is up.
  bool run_until_up() {
    return run([&] {
      for (size_t i = 0; i < state->replicas(); ++i) {
        if (!state->is_up(i)) {
          return false;
        }
      }
      return true;
    });
  }

  // Starts a call and checks that no callback ran inside.
  void start(CallRecord& call, const std::string& path = "/test.Peer/Echo", TimePoint deadline = TimePoint::max()) {
    CallHead head;
    head.path = path;
    head.deadline = deadline;
    call.in_caller = true;
    call.call = backend->start(std::move(head), call);
    call.in_caller = false;
  }
  void send(CallRecord& call, std::string bytes, bool end = true) {
    call.in_caller = true;
    call.call->send(std::move(bytes), end);
    call.in_caller = false;
  }

  Loop& loop;
  std::shared_ptr<BackendState> state;
  MemoryAccount account;
  BackendRecord record;
  std::unique_ptr<Backend> backend;
};

}  // namespace transom
