// Collector adds up what all workers counted and hands it to the Prometheus library as metric families. It is made
// for one scrape and dropped after it.
#pragma once

#include <prometheus/collectable.h>
#include <prometheus/metric_family.h>

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "metrics/metrics.h"

namespace transom {

class Collector : public prometheus::Collectable {
 public:
  // momentary may be null; both must outlive the collector.
  Collector(std::span<const std::unique_ptr<WorkerMetrics>> workers, const MomentaryFigures* momentary)
      : workers_(workers), momentary_(momentary) {}

  std::vector<prometheus::MetricFamily> Collect() const override;

 private:
  std::span<const std::unique_ptr<WorkerMetrics>> workers_;
  const MomentaryFigures* momentary_;
};

}  // namespace transom
