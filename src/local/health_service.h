// HealthService answers grpc.health.v1 for one call: "" is the whole proxy, as /readyz has it; a served service is as
// well as its backends. Check answers once; Watch looks again and again and tells each change, and ends when the proxy
// drains, so that it holds up no drain.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "local/local_service.h"
#include "local/readiness.h"
#include "local/served_services.h"
#include "net/timer.h"

namespace transom {

class HealthService final : public LocalMethod {
 public:
  enum class Kind : uint8_t { Check, Watch };

  // readiness must outlive this; served: what is served now.
  HealthService(LocalAnswer& answer, Kind kind, const Readiness& readiness, std::function<ServedServicesPtr()> served);

  void on_message(std::string_view message) override;
  void on_half_close() override;

 private:
  // grpc/health/v1/health.proto.
  enum class Serving : uint8_t { Unknown = 0, Serving = 1, NotServing = 2, ServiceUnknown = 3 };

  Serving look() const;
  void check();
  void watch();

  LocalAnswer& answer_;
  const Kind kind_;
  const Readiness& readiness_;
  const std::function<ServedServicesPtr()> served_;
  std::optional<std::string> service_;
  std::optional<Serving> told_;
  Timer timer_;
};

}  // namespace transom
