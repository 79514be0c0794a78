#include "log/process_log.h"

#include <string>

#include "log/json_line.h"

namespace transom {

std::string_view log_level_name(LogLevel level) {
  switch (level) {
    case LogLevel::Debug:
      return "debug";
    case LogLevel::Info:
      return "info";
    case LogLevel::Warning:
      return "warning";
    case LogLevel::Error:
      return "error";
  }
  return "";
}

void ProcessLog::write(LogLevel level, std::string_view message, std::initializer_list<Value> values) {
  if (!is_on(level)) return;
  std::string text;
  JsonLine line(text);
  line.add("time", std::chrono::system_clock::now());
  line.add("level", log_level_name(level));
  line.add("message", message);
  for (const Value& value : values)
    line.add(value.name, value.value);
  line.end();
  sink_.write(text);
}

}  // namespace transom
