#include "metrics/metrics.h"

#include <prometheus/text_serializer.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "metrics/collector.h"

namespace transom {

Metrics::Metrics(size_t workers) {
  workers_.reserve(workers);
  for (size_t i = 0; i < workers; ++i) {
    workers_.push_back(std::make_unique<WorkerMetrics>(i));
  }
}

Metrics::~Metrics() = default;

void Metrics::set_momentary(std::function<MomentaryFigures()> momentary) { momentary_ = std::move(momentary); }

int64_t Metrics::sessions_open() const {
  int64_t open = 0;
  for (const auto& worker : workers_) {
    const int64_t ended = worker->sessions_ended.value();
    open += std::max<int64_t>(worker->sessions_begun.value() - ended, 0);
  }
  return open;
}

std::string Metrics::text() const {
  std::optional<MomentaryFigures> momentary;
  if (momentary_) momentary = momentary_();
  const Collector collector(workers_, momentary ? &*momentary : nullptr);
  return prometheus::TextSerializer().Serialize(collector.Collect());
}

}  // namespace transom
