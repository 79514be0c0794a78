// ProcessFigures are what the kernel says of this process, under the names that every Prometheus client uses
// (process_cpu_seconds_total and so on). Read from /proc at each scrape.
#pragma once

#include <cstdint>

namespace transom {

struct ProcessFigures {
  double cpu_seconds = 0;         // user and system time
  double start_time_seconds = 0;  // since the epoch
  int64_t resident_bytes = 0;
  int64_t virtual_bytes = 0;
  int64_t threads = 0;
  int64_t open_fds = 0;
  int64_t max_fds = 0;
};

// Figures that cannot be read are 0.
ProcessFigures read_process_figures();

}  // namespace transom
