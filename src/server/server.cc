#include "server/server.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <utility>

#include "server/machine.h"
#include "server/options.h"

namespace transom {
namespace {

std::chrono::nanoseconds nanoseconds_of(int64_t count) { return std::chrono::nanoseconds(count); }

ReadyRule ready_rule_of(config::v1::Ready from) {
  return from == config::v1::READY_NONE ? ReadyRule::None
         : from == config::v1::READY_ANY ? ReadyRule::Any
                                         : ReadyRule::All;
}

}  // namespace

Server::Server(Blueprint& blueprint)
    : blueprint_(blueprint),
      config_(blueprint.config()),
      error_sink_(line_thread_, STDERR_FILENO),
      log_(error_sink_, log_level_of(blueprint.config().log())),
      metrics_(worker_count(blueprint.config().workers())),
      account_(memory_budget_bytes(blueprint.config().limits().memory())),
      readiness_(ready_rule_of(blueprint.config().ready())),
      mailbox_(loop_),
      drain_timer_(loop_, [this] { drain(); }),
      snapshot_(blueprint.snapshot()) {}

Server::~Server() {
  for (const auto& worker : workers_)
    worker->stop();
  workers_.clear();
  for (const ListeningSockets& sockets : sockets_)
    sockets.remove_file();
  if (admin_socket_) admin_socket_->remove_file();
}

Status Server::open() {
  auto access_sink = LineSink::open(line_thread_, blueprint_.access_log_path());
  if (!access_sink.ok()) return access_sink.status();
  access_sink_ = std::move(*access_sink);
  const size_t workers = worker_count(config_.workers());
  offload_ = OffloadPool::make(static_cast<int>(workers), config_.limits().offload_queue());
  make_backend_states();
  sessions_.emplace(session_bound(config_.limits().session().open(), descriptors_needed()));
  metrics_.set_momentary([this] { return momentary_figures(); });
  auto signals = Signals::open(loop_, [this](int signal) { on_signal(signal); });
  if (!signals.ok()) return signals.status();
  signals_ = std::move(*signals);
  for (const auto step : {&Server::open_listeners, &Server::open_admin, &Server::start_workers}) {
    if (Status status = (this->*step)(); !status.ok()) return status;
  }
  for (ListeningSockets& sockets : sockets_)
    sockets.close();
  tell_addresses();
  for (const std::string& warning : blueprint_.warnings())
    log_.warning(warning);
  return {};
}

void Server::make_backend_states() {
  schemas_ = std::make_unique<SchemaWatch>(loop_, blueprint_, states_, log_,
                                           [this](SnapshotPtr snapshot) { install(std::move(snapshot)); });
  for (int i = 0; i < config_.backends_size(); ++i) {
    states_.push_back(BackendState::make(backend_options_of(config_, i)));
    states_.back()->set_on_up([this, i, sender = mailbox_.sender()](size_t replica) {
      sender.post([this, i, replica] { on_replica_up(i, replica); });
    });
    readiness_.add_backend(config_.backends(i).name(), states_.back(), has_schema(i));
  }
}

// The workers that still wait out a pause since their last attempt need not any more.
void Server::on_replica_up(int backend, size_t replica) {
  for (const auto& worker : workers_) worker->try_replica(static_cast<size_t>(backend), replica);
  schemas_->on_up(backend, replica);
}

Status Server::open_listeners() {
  const SessionLimits limits = session_limits_of(config_.limits());
  for (const config::v1::Listener& from : config_.listeners()) {
    ListenerOptions options;
    options.address = *parse_address(from.address());
    options.backlog = limits.backlog;
    auto sockets = ListeningSockets::open(options, worker_count(config_.workers()));
    if (!sockets.ok()) return sockets.status();
    sockets_.push_back(std::move(*sockets));
  }
  return {};
}

Status Server::open_admin() {
  if (!config_.has_admin()) return {};
  ListenerOptions options;
  options.address = *parse_address(config_.admin().address());
  auto sockets = ListeningSockets::open(options, 1);
  if (!sockets.ok()) return sockets.status();
  admin_socket_.emplace(std::move(*sockets));
  options.address = admin_socket_->address();
  auto admin = Admin::open(loop_, options, admin_socket_->fd_of(0),
                           {[this] { return metrics_.text(); }, [this] { return readiness_.unready_reason(); }});
  if (!admin.ok()) return admin.status();
  admin_ = std::move(*admin);
  admin_socket_->close();
  return {};
}

SharedServices Server::shared_services() {
  const auto& names = config_.log().access().fields();
  // The names were checked when the configuration was.
  const AccessFields fields = *AccessFields::select(std::vector<std::string>(names.begin(), names.end()));
  return {metrics_, log_, *access_sink_, fields, account_, *offload_, *sessions_, readiness_};
}

// Beside those of clients: a channel per replica and worker with room for more, listeners, and a worker's own few.
size_t Server::descriptors_needed() const {
  size_t per_worker = 16 + static_cast<size_t>(config_.listeners_size());
  for (const auto& state : states_)
    per_worker += 2 * state->replicas();
  return 64 + per_worker * worker_count(config_.workers());
}

WorkerOptions Server::worker_options(size_t index) const {
  WorkerOptions options;
  options.index = index;
  options.session_limits = session_limits_of(config_.limits());
  options.snapshot = snapshot_;
  for (int i = 0; i < config_.listeners_size(); ++i) {
    const ListeningSockets& sockets = sockets_[static_cast<size_t>(i)];
    WorkerListener listener;
    listener.options.address = sockets.address();
    listener.options.tls = blueprint_.tls(i);
    listener.options.proxy_protocol = config_.listeners(i).forwarded().proxy_protocol();
    listener.options.handshake_timeout = options.session_limits.header_timeout;
    listener.options.proxy_header_bytes = options.session_limits.proxy_header_bytes;
    listener.fd = sockets.fd_of(index);
    listener.rules = listener_rules_of(config_.listeners(i));
    options.listeners.push_back(std::move(listener));
  }
  for (int i = 0; i < config_.backends_size(); ++i) {
    options.backends.push_back({backend_options_of(config_, i), states_[static_cast<size_t>(i)]});
  }
  return options;
}

Status Server::start_workers() {
  const size_t workers = worker_count(config_.workers());
  for (size_t i = 0; i < workers; ++i) {
    workers_.push_back(std::make_unique<Worker>(worker_options(i), shared_services()));
    if (Status status = workers_.back()->start(); !status.ok()) return status;
  }
  return {};
}

// Tests and scripts read these lines; the admin's comes last, when all is open.
void Server::tell_addresses() const {
  for (const ListeningSockets& sockets : sockets_) {
    std::fprintf(stderr, "transom: listening on %s\n", sockets.address().format().c_str());
  }
  if (admin_socket_) std::fprintf(stderr, "transom: admin on %s\n", admin_socket_->address().format().c_str());
}

void Server::run() { loop_.run(); }

void Server::on_signal(int signal) {
  if (signal == SIGHUP) {
    log_.warning("SIGHUP is ignored: reloading is not built yet");
    return;
  }
  if (readiness_.is_draining()) {
    log_.warning("a second signal ends the drain");
    loop_.stop();
    return;
  }
  readiness_.set_draining();
  log_.info("draining", {{"signal", signal == SIGTERM ? "SIGTERM" : "SIGINT"}});
  drain_timer_.start(nanoseconds_of(config_.drain().delay()));
}

// First after the delay: sessions are told to end. Then after the timeout: what is still open is cut.
void Server::drain() {
  if (drain_began_) {
    log_.warning("the drain took too long; what is open is cut");
    loop_.stop();
    return;
  }
  drain_began_ = true;
  for (const auto& worker : workers_) {
    worker->drain([this, sender = mailbox_.sender()] { sender.post([this] { on_drained(); }); });
  }
  drain_timer_.start(nanoseconds_of(config_.drain().timeout()));
}

void Server::on_drained() {
  if (++workers_drained_ < workers_.size()) return;
  log_.info("drained");
  loop_.stop();
}

void Server::install(SnapshotPtr snapshot) {
  snapshot_ = std::move(snapshot);
  installs_pending_ = workers_.size();
  readiness_.set_installing(true);
  for (int i = 0; i < config_.backends_size(); ++i)
    readiness_.set_has_schema(static_cast<size_t>(i), has_schema(i));
  for (const auto& worker : workers_) {
    worker->install(snapshot_, [this, sender = mailbox_.sender(), of = snapshot_] {
      sender.post([this, of] {
        if (of == snapshot_ && --installs_pending_ == 0) readiness_.set_installing(false);
      });
    });
  }
}

bool Server::has_schema(int backend) const {
  return !blueprint_.builder().wants_reflection(backend) || blueprint_.builder().has_reflected(backend);
}

MomentaryFigures Server::momentary_figures() const {
  MomentaryFigures figures;
  for (size_t i = 0; i < states_.size(); ++i) {
    const std::string& backend = config_.backends(static_cast<int>(i)).name();
    for (size_t n = 0; n < states_[i]->replicas(); ++n) {
      figures.replicas.push_back({backend, states_[i]->replica_name(n), states_[i]->is_up(n)});
    }
    figures.backends.push_back({backend, states_[i]->waiting()});
  }
  figures.memory_account_bytes = static_cast<int64_t>(account_.held_bytes());
  figures.memory_budget_bytes = static_cast<int64_t>(account_.budget_bytes());
  figures.log_dropped = access_sink_->dropped();
  return figures;
}

}  // namespace transom
