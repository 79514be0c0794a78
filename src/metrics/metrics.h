// Metrics is the whole process's figures: it owns each worker's counters, sums them when it is scraped, and writes the
// one text page of the Prometheus format (docs/metrics.md names every series). One per process, made before the
// workers, gone after them. text() may be called on any thread, while the workers count.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "metrics/worker_metrics.h"

namespace transom {

// What is not counted but looked up at the moment of a scrape.
struct MomentaryFigures {
  struct OfReplica {
    std::string backend;
    std::string replica;
    bool is_up = false;
  };
  struct OfBackend {
    std::string backend;
    int64_t queued = 0;
  };
  std::vector<OfReplica> replicas;
  std::vector<OfBackend> backends;
  int64_t memory_account_bytes = 0;
  int64_t memory_budget_bytes = 0;
  int64_t log_dropped = 0;  // access log lines, since the start
};

class Metrics {
 public:
  explicit Metrics(size_t workers);
  ~Metrics();

  WorkerMetrics& worker(size_t index) { return *workers_[index]; }
  // Called at each scrape, on the scraping thread; without it those series are left out.
  void set_momentary(std::function<MomentaryFigures()> momentary);
  std::string text() const;
  // Client sessions open now, of all workers.
  int64_t sessions_open() const;

 private:
  std::vector<std::unique_ptr<WorkerMetrics>> workers_;
  std::function<MomentaryFigures()> momentary_;
};

}  // namespace transom
