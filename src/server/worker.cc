#include "server/worker.h"

#include <future>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "local/local_backend.h"
#include "net/timer.h"
#include "protocol/error_body.h"
#include "proxy/acceptor.h"
#include "proxy/memory_guard.h"
#include "proxy/request_id.h"
#include "proxy/worker_services.h"
#include "server/worker_observer.h"

namespace transom {
namespace {

constexpr std::chrono::milliseconds kDrainPoll{10};
constexpr std::chrono::seconds kPauseTellEvery{1};

}  // namespace

// All that stands on the worker's loop. Members are destroyed in reverse, the loop last.
class Worker::Inside {
 public:
  Inside(const WorkerOptions& options, const SharedServices& services);

  Status open();
  void run() { loop_.run(); }
  Mailbox::Sender sender() { return mailbox_.sender(); }

  void install(SnapshotPtr snapshot);
  void try_replica(size_t backend, size_t replica) {
    if (backend < backends_.size()) backends_[backend]->try_now(replica);
  }
  void drain(std::function<void()> done);
  void stop();

 private:
  void end();
  // One listener with the sessions that came in by it.
  struct Door {
    std::unique_ptr<Acceptor> acceptor;
    std::unique_ptr<SessionSet> sessions;
    std::unique_ptr<Listener> listener;
  };
  Status open_door(const WorkerListener& from);
  ErrorBody body_of_error(const Status& status) const;
  std::string id_of_error(const Fields& fields);
  void on_accept(SessionSet& sessions, std::unique_ptr<Transport> transport);
  void on_session_end();
  void on_tick(std::chrono::nanoseconds lag);
  void look_whether_to_accept();
  void tell_pause(const char* reason);
  void look_whether_drained();

  const WorkerOptions& options_;
  const SharedServices& shared_;
  WorkerMetrics& metrics_;
  Loop loop_;
  Mailbox mailbox_;
  AccessLog access_;
  WorkerObserver observer_;
  std::vector<std::unique_ptr<ReplicaObserver>> replica_observers_;
  std::vector<std::shared_ptr<Backend>> backends_;  // as configured
  std::shared_ptr<LocalBackend> local_;
  MemoryGuard memory_;
  RequestIds ids_;
  WorkerServices services_;
  std::vector<Door> doors_;
  Timer drain_timer_;
  std::function<void()> on_drained_;
  bool accepts_paused_ = false;
  bool is_stopping_ = false;
  TimePoint pause_told_{};
};

Worker::Inside::Inside(const WorkerOptions& options, const SharedServices& services)
    : options_(options),
      shared_(services),
      metrics_(services.metrics.worker(options.index)),
      mailbox_(loop_),
      access_(services.access_sink, services.access_fields),
      observer_(metrics_, access_, services.log),
      local_(std::make_shared<LocalBackend>(loop_, services.readiness, options.exchange_window)),
      memory_(loop_, services.account),
      services_{loop_, mailbox_, services.offload, memory_, ids_, observer_, nullptr},
      drain_timer_(loop_, [this] { look_whether_drained(); }) {
  observer_.set_on_session_end([this] { on_session_end(); });
}

Status Worker::Inside::open() {
  for (const WorkerBackend& from : options_.backends) {
    replica_observers_.push_back(
        std::make_unique<ReplicaObserver>(from.options.name, metrics_, shared_.log, options_.index == 0));
    backends_.push_back(
        Backend::make(loop_, from.options, from.state, &shared_.account, replica_observers_.back().get()));
    backends_.back()->open();
  }
  install(options_.snapshot);
  for (const WorkerListener& from : options_.listeners) {
    if (Status status = open_door(from); !status.ok()) return status;
  }
  loop_.set_lag_observer([this](std::chrono::nanoseconds lag) { on_tick(lag); });
  return {};
}

Status Worker::Inside::open_door(const WorkerListener& from) {
  Door door;
  SessionOptions session;
  session.limits = options_.session_limits;
  session.exchange_window = options_.exchange_window;
  session.account = &shared_.account;
  session.observer = &observer_;
  session.error_body = [this](const Status& status) { return body_of_error(status); };
  session.error_id = [this](const Fields& fields) { return id_of_error(fields); };
  if (const auto& cors = from.rules.cors; cors != nullptr) {
    session.error_fields = [cors](const Fields& request, Fields& answer) { cors->fill_answer(request, answer); };
  }
  door.acceptor = std::make_unique<Acceptor>(services_, from.rules);
  door.sessions = SessionSet::make(loop_, session, *door.acceptor);
  auto listener = Listener::open(loop_, from.options, from.fd, &observer_,
                                 [this, sessions = door.sessions.get()](std::unique_ptr<Transport> transport) {
                                   on_accept(*sessions, std::move(transport));
                                 });
  if (!listener.ok()) return listener.status();
  door.listener = std::move(*listener);
  doors_.push_back(std::move(door));
  return {};
}

ErrorBody Worker::Inside::body_of_error(const Status& status) const {
  const ErrorForm form = services_.snapshot->snapshot->errors;
  return {error_body(status, form), content_type_of(form)};
}

// As a Relay does it: the client's own where it is fit.
std::string Worker::Inside::id_of_error(const Fields& fields) {
  const std::optional<std::string_view> own = fields.find("x-request-id");
  return own && is_request_id(*own) ? std::string(*own) : ids_.next();
}

void Worker::Inside::install(SnapshotPtr snapshot) {
  observer_.set_snapshot(*snapshot);
  local_->use(snapshot->served);
  WorkerSnapshot whole{std::move(snapshot), backends_};
  whole.backends.push_back(local_);
  services_.snapshot = std::make_shared<const WorkerSnapshot>(std::move(whole));
}

// Clients beyond the bound wait in the backlog. Only one that two workers took at once, or whose handshake ended after
// the last place was taken, is turned away.
void Worker::Inside::on_accept(SessionSet& sessions, std::unique_ptr<Transport> transport) {
  if (shared_.sessions.take()) {
    sessions.add(std::move(transport));
  } else {
    loop_.bury(std::move(transport));
  }
  if (!shared_.sessions.has_room()) look_whether_to_accept();
}

void Worker::Inside::on_session_end() {
  shared_.sessions.give_back();
  if (accepts_paused_ && !is_stopping_) look_whether_to_accept();
}

// About every 100 ms.
void Worker::Inside::on_tick(std::chrono::nanoseconds lag) {
  metrics_.observe_lag(lag);
  access_.flush();
  look_whether_to_accept();
}

void Worker::Inside::look_whether_to_accept() {
  const bool is_exhausted = shared_.account.is_exhausted();
  const bool should_pause = is_exhausted || !shared_.sessions.has_room();
  if (should_pause == accepts_paused_) return;
  accepts_paused_ = should_pause;
  if (should_pause) {
    tell_pause(is_exhausted ? "the memory budget is used up" : "the bound of open sessions is reached");
  }
  for (Door& door : doors_) {
    if (door.listener == nullptr) continue;
    should_pause ? door.listener->pause() : door.listener->resume();
  }
}

// Near the bound accepting pauses with every other session: once a second is enough to know.
void Worker::Inside::tell_pause(const char* reason) {
  if (pause_told_ != TimePoint{} && loop_.now() - pause_told_ < kPauseTellEvery) return;
  pause_told_ = loop_.now();
  observer_.on_accept_paused(reason);
}

void Worker::Inside::drain(std::function<void()> done) {
  on_drained_ = std::move(done);
  for (Door& door : doors_)
    door.sessions->drain();
  // Clients that the kernel has let in already are still taken, on the coming turns of the loop.
  drain_timer_.start(kDrainPoll);
}

void Worker::Inside::look_whether_drained() {
  size_t open = 0;
  for (Door& door : doors_) {
    door.listener.reset();
    open += door.sessions->open_sessions();
  }
  if (open > 0) {
    drain_timer_.start(kDrainPoll);
  } else if (on_drained_) {
    std::exchange(on_drained_, nullptr)();
  }
}

void Worker::Inside::stop() {
  is_stopping_ = true;
  drain_timer_.stop();
  for (Door& door : doors_) {
    door.sessions->close_web_sockets();
  }
  loop_.defer([this] { end(); });  // once that has left
}

void Worker::Inside::end() {
  doors_.clear();
  services_.snapshot.reset();
  backends_.clear();
  local_.reset();
  access_.flush();
  loop_.stop();
}

Worker::Worker(WorkerOptions options, SharedServices services) : options_(std::move(options)), services_(services) {}

Worker::~Worker() {
  stop();
  if (thread_.joinable()) thread_.join();
}

Status Worker::start() {
  std::promise<Status> opened;
  std::future<Status> outcome = opened.get_future();
  thread_ = std::thread([this, &opened] {
    Inside inside(options_, services_);
    inside_ = &inside;
    mailbox_ = std::make_unique<Mailbox::Sender>(inside.sender());
    opened.set_value(inside.open());
    // After a failure too, up to the stop() that then comes: what stands on a loop can only go on it.
    inside.run();
  });
  return outcome.get();
}

void Worker::install(SnapshotPtr snapshot, std::function<void()> done) {
  mailbox_->post([this, snapshot = std::move(snapshot), done = std::move(done)]() mutable {
    inside_->install(std::move(snapshot));
    done();
  });
}

void Worker::try_replica(size_t backend, size_t replica) {
  mailbox_->post([this, backend, replica] { inside_->try_replica(backend, replica); });
}

void Worker::drain(std::function<void()> done) {
  mailbox_->post([this, done = std::move(done)]() mutable { inside_->drain(std::move(done)); });
}

void Worker::stop() {
  if (mailbox_ != nullptr) mailbox_->post([this] { inside_->stop(); });
}

}  // namespace transom
