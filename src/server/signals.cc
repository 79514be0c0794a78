#include "server/signals.h"

#include <pthread.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

namespace transom {
namespace {

sigset_t awaited_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (int signal : {SIGTERM, SIGINT, SIGHUP})
    sigaddset(&signals, signal);
  return signals;
}

}  // namespace

void block_signals() {
  const sigset_t signals = awaited_signals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  signal(SIGPIPE, SIG_IGN);
}

Result<std::unique_ptr<Signals>> Signals::open(Loop& loop, std::function<void(int signal)> on_signal) {
  const sigset_t signals = awaited_signals();
  const int fd = signalfd(-1, &signals, SFD_NONBLOCK | SFD_CLOEXEC);
  if (fd < 0) return proxy_error(Code::Unavailable, std::string("signalfd: ") + std::strerror(errno));
  auto watch = Watch::make(loop, fd);
  if (!watch.ok()) return watch.status();
  return std::unique_ptr<Signals>(new Signals(std::move(*watch), std::move(on_signal)));
}

Signals::Signals(std::unique_ptr<Watch> watch, std::function<void(int signal)> on_signal)
    : watch_(std::move(watch)), on_signal_(std::move(on_signal)) {
  watch_->set_target(this);
  watch_->want(true, false);
}

void Signals::on_ready(bool, bool) {
  const bool& is_gone = watch_->is_gone();
  signalfd_siginfo record{};
  while (!is_gone && read(watch_->fd(), &record, sizeof(record)) == sizeof(record)) {
    on_signal_(static_cast<int>(record.ssi_signo));
  }
}

}  // namespace transom
