// ProcessLog is what the process says of itself: one JSON line per event on standard error, with level, message and a
// few named values. Any thread may write; a line goes the way of LineSink and never blocks. One per process.
#pragma once

#include <atomic>
#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "log/line_sink.h"

namespace transom {

enum class LogLevel : uint8_t { Debug, Info, Warning, Error };
std::string_view log_level_name(LogLevel level);  // "debug", "info", "warning", "error"

class ProcessLog {
 public:
  struct Value {
    std::string_view name;
    std::string_view value;
  };

  // sink must outlive this.
  ProcessLog(LineSink& sink, LogLevel level) : sink_(sink), level_(level) {}

  bool is_on(LogLevel level) const { return level >= level_.load(std::memory_order_relaxed); }
  void set_level(LogLevel level) { level_.store(level, std::memory_order_relaxed); }
  void write(LogLevel level, std::string_view message, std::initializer_list<Value> values = {});

  void debug(std::string_view message, std::initializer_list<Value> values = {}) {
    write(LogLevel::Debug, message, values);
  }
  void info(std::string_view message, std::initializer_list<Value> values = {}) {
    write(LogLevel::Info, message, values);
  }
  void warning(std::string_view message, std::initializer_list<Value> values = {}) {
    write(LogLevel::Warning, message, values);
  }
  void error(std::string_view message, std::initializer_list<Value> values = {}) {
    write(LogLevel::Error, message, values);
  }

 private:
  LineSink& sink_;
  std::atomic<LogLevel> level_;
};

}  // namespace transom
