// AccessLog writes one JSON line per request. Each worker has its own: it gathers lines without a lock and hands them
// to the process's LineSink in batches, when 64 KiB are full and whenever its owner calls flush() (the worker does
// so ten times a second). Nothing here waits for the disk or the reader.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "log/access_record.h"
#include "log/line_sink.h"

namespace transom {

// Which members a line has, in the order of the record. All of them unless configured.
class AccessFields {
 public:
  AccessFields() = default;
  // INVALID_ARGUMENT for a name that no field has. No names: all fields.
  static Result<AccessFields> select(std::span<const std::string> names);
  static std::vector<std::string_view> names();

  void append_line(const AccessRecord& record, std::string& out) const;

 private:
  uint32_t selected_ = ~0u;
};

class AccessLog {
 public:
  // sink must outlive this.
  AccessLog(LineSink& sink, AccessFields fields) : sink_(sink), fields_(fields) {}
  ~AccessLog() { flush(); }
  AccessLog(const AccessLog&) = delete;
  AccessLog& operator=(const AccessLog&) = delete;

  // False when the log is switched off: then nobody needs to make a record.
  bool is_on() const { return sink_.is_open(); }
  void write(const AccessRecord& record);
  void flush();

 private:
  LineSink& sink_;
  const AccessFields fields_;
  std::string lines_;
};

}  // namespace transom
