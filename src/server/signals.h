// Signals brings the process's signals to a Loop as plain calls. Made on the loop's thread; the signals must have been
// blocked before any thread was started.
#pragma once

#include <functional>
#include <memory>

#include "base/status.h"
#include "net/loop.h"
#include "net/watch.h"

namespace transom {

// In main, first: SIGTERM, SIGINT and SIGHUP wait for Signals, SIGPIPE is ignored.
void block_signals();

class Signals final : private WatchTarget {
 public:
  virtual ~Signals() = default;
  static Result<std::unique_ptr<Signals>> open(Loop& loop, std::function<void(int signal)> on_signal);

 private:
  Signals(std::unique_ptr<Watch> watch, std::function<void(int signal)> on_signal);
  void on_ready(bool is_readable, bool is_writable) override;

  std::unique_ptr<Watch> watch_;
  std::function<void(int signal)> on_signal_;
};

}  // namespace transom
