// LineSink is a bounded way out for log lines: any thread hands over a batch of whole lines, and one thread of the
// logging library writes it to a file descriptor. When the reader is too slow, batches are dropped and their lines
// counted; nobody waits. LineThread is that one thread, shared by all sinks of the process; sinks go before it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/status.h"

namespace transom {

class LineThread {
 public:
  LineThread();
  // Writes what was handed over, but waits no longer than about a second for a reader that does not read.
  ~LineThread();

 private:
  friend class LineSink;
  struct State;
  std::shared_ptr<State> state_;
};

class LineSink {
 public:
  // path: "-" is standard output, "" drops everything uncounted, else a file that is appended to, and made if missing.
  // UNAVAILABLE with the system's reason.
  static Result<std::unique_ptr<LineSink>> open(LineThread& thread, const std::string& path);
  // fd stays the caller's.
  LineSink(LineThread& thread, int fd);
  ~LineSink();

  // lines: whole ones, each with its newline. Never blocks.
  void write(std::string_view lines);
  bool is_open() const { return state_ != nullptr; }
  // Lines dropped since the start, because the sink was full or writing failed.
  int64_t dropped() const;

 private:
  struct State;
  LineSink(LineThread& thread, int fd, bool owns_fd);
  std::unique_ptr<State> state_;
};

}  // namespace transom
