// SchemaWatch keeps reflected schemas current: whenever a replica comes up it is asked for its schema, and when that
// has changed the blueprint builds a new snapshot and the copy on disk is replaced. What does not fit is told in the
// process log and leaves the last good one. Owned by the Server, on the control thread's loop.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "backend/backend_state.h"
#include "control/reflection.h"
#include "log/process_log.h"
#include "net/loop.h"
#include "net/timer.h"
#include "server/blueprint.h"

namespace transom {

class SchemaWatch {
 public:
  using OnSnapshot = std::function<void(SnapshotPtr)>;

  SchemaWatch(Loop& loop, Blueprint& blueprint, const std::vector<std::shared_ptr<BackendState>>& states,
              ProcessLog& log, OnSnapshot on_snapshot);

  // A channel to that replica has opened; nothing happens unless the backend's schema is reflected.
  void on_up(int backend, size_t replica);

 private:
  struct Backend {
    bool is_asking = false;
    std::set<size_t> waiting;  // replicas to be asked after this one
    std::unique_ptr<Timer> retry;
    std::chrono::milliseconds pause{0};
  };

  void ask(int backend, size_t replica);
  void on_answer(int backend, size_t replica, Result<std::vector<std::string>> files);
  Status take(int backend, const std::string& replica, const std::vector<std::string>& files);
  void ask_again_later(int backend);

  Loop& loop_;
  Blueprint& blueprint_;
  const std::vector<std::shared_ptr<BackendState>>& states_;
  ProcessLog& log_;
  OnSnapshot on_snapshot_;
  const ReflectionLimits limits_;
  SchemaReflector reflector_;
  std::map<int, Backend> backends_;  // those whose schema is reflected
};

// The files as one serialized FileDescriptorSet.
Result<std::string> join_files(const std::vector<std::string>& files, const std::string& source);

}  // namespace transom
