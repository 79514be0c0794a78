// A Worker is one thread that serves clients: its own loop, listeners, sessions, channels to every replica, and
// counters. The Server owns it, on the control thread, and speaks to it by mailbox only; nothing here waits for a
// worker but start() and the destructor. It ends by stop(), which cuts what is still open.
#pragma once

#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "backend/backend.h"
#include "http/session.h"
#include "local/readiness.h"
#include "log/access_log.h"
#include "log/process_log.h"
#include "metrics/metrics.h"
#include "net/listener.h"
#include "net/mailbox.h"
#include "net/offload_pool.h"
#include "proxy/listener_rules.h"
#include "proxy/snapshot.h"
#include "server/session_bound.h"

namespace transom {

struct WorkerListener {
  ListenerOptions options;
  int fd = -1;  // a listening socket, duplicated at start
  ListenerRules rules;
};

struct WorkerBackend {
  BackendOptions options;
  std::shared_ptr<BackendState> state;
};

// What all workers share; outlives them.
struct SharedServices {
  Metrics& metrics;
  ProcessLog& log;
  LineSink& access_sink;
  AccessFields access_fields;
  MemoryAccount& account;
  OffloadPool& offload;
  SessionBound& sessions;
  const Readiness& readiness;
};

struct WorkerOptions {
  size_t index = 0;
  std::vector<WorkerListener> listeners;
  std::vector<WorkerBackend> backends;  // in the order of Snapshot::backends
  SessionLimits session_limits;
  size_t exchange_window = 64 * kKiB;
  SnapshotPtr snapshot;
};

class Worker {
 public:
  Worker(WorkerOptions options, SharedServices services);
  ~Worker();  // stops, and waits for the thread
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  // Starts the thread and waits until it listens; a failure says which listener and why.
  Status start();
  // New requests use it from now on; done is called on the worker's thread.
  void install(SnapshotPtr snapshot, std::function<void()> done);
  // Another worker has reached that replica.
  void try_replica(size_t backend, size_t replica);
  // Sessions are told to end after what is open, then listeners close; done is called on the worker's thread, once,
  // when no session is left.
  void drain(std::function<void()> done);
  // Cuts all that is open and ends the thread.
  void stop();

 private:
  class Inside;
  const WorkerOptions options_;
  const SharedServices services_;
  std::unique_ptr<Mailbox::Sender> mailbox_;
  Inside* inside_ = nullptr;  // lives on the thread's stack; touched by letters only
  std::thread thread_;
};

}  // namespace transom
