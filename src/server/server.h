// The Server is the process that serves: it owns the workers, what they share, and the control thread's own loop, on
// which everything slow or rare runs (signals, admin, schemas). Made and run on the main thread; run() returns when it
// has drained after SIGTERM or SIGINT.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/memory_account.h"
#include "local/readiness.h"
#include "log/line_sink.h"
#include "log/process_log.h"
#include "metrics/metrics.h"
#include "net/loop.h"
#include "net/mailbox.h"
#include "net/offload_pool.h"
#include "net/timer.h"
#include "server/admin.h"
#include "server/blueprint.h"
#include "server/listening.h"
#include "server/schema_watch.h"
#include "server/signals.h"
#include "server/worker.h"

namespace transom {

class Server {
 public:
  // The blueprint must outlive this and have no errors; signals must be blocked.
  explicit Server(Blueprint& blueprint);
  ~Server();

  // Opens everything and tells on standard error where it listens. UNAVAILABLE for a port in use and the like.
  Status open();
  void run();

 private:
  void make_backend_states();
  Status open_listeners();
  Status open_admin();
  Status start_workers();
  size_t descriptors_needed() const;
  WorkerOptions worker_options(size_t index) const;
  SharedServices shared_services();
  void tell_addresses() const;

  void on_signal(int signal);
  void drain();
  void on_drained();
  void on_replica_up(int backend, size_t replica);
  void install(SnapshotPtr snapshot);
  bool has_schema(int backend) const;
  MomentaryFigures momentary_figures() const;

  Blueprint& blueprint_;
  const config::v1::Config& config_;
  LineThread line_thread_;
  LineSink error_sink_;
  std::unique_ptr<LineSink> access_sink_;
  ProcessLog log_;
  Metrics metrics_;
  MemoryAccount account_;
  std::unique_ptr<OffloadPool> offload_;
  std::optional<SessionBound> sessions_;
  std::vector<std::shared_ptr<BackendState>> states_;
  Readiness readiness_;
  std::vector<ListeningSockets> sockets_;
  std::optional<ListeningSockets> admin_socket_;

  Loop loop_;
  Mailbox mailbox_;
  std::unique_ptr<Signals> signals_;
  std::unique_ptr<Admin> admin_;
  std::unique_ptr<SchemaWatch> schemas_;
  Timer drain_timer_;
  bool drain_began_ = false;  // after the delay
  size_t workers_drained_ = 0;
  SnapshotPtr snapshot_;         // what workers were last told to use
  size_t installs_pending_ = 0;  // workers that do not use it yet

  std::vector<std::unique_ptr<Worker>> workers_;
};

}  // namespace transom
