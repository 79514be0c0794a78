// LocalBackend is the Backend of what the proxy answers itself: server reflection and grpc.health.v1, for what one
// worker serves now. Its replica is the process. Owned by the worker; one thread; calls must be gone before it.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "backend/backend.h"
#include "local/local_service.h"
#include "local/readiness.h"
#include "local/served_services.h"

namespace transom {

inline constexpr std::string_view kHealthService = "grpc.health.v1.Health";
inline constexpr std::string_view kReflectionServices[] = {"grpc.reflection.v1.ServerReflection",
                                                           "grpc.reflection.v1alpha.ServerReflection"};

// The schema of these services; made once, on first use.
SchemaPtr local_schema();

class LocalBackend final : public Backend {
 public:
  // readiness must outlive this; window: as in LocalCall.
  LocalBackend(Loop& loop, const Readiness& readiness, size_t window);

  // What is served from now on; calls that go on see it too.
  void use(ServedServicesPtr served) { served_ = std::move(served); }

  void open() override {}
  void try_now(size_t /*replica*/) override {}
  std::unique_ptr<Call> start(CallHead head, CallHandler& handler) override;
  const std::string& name() const override { return name_; }

 private:
  Loop& loop_;
  const size_t window_;
  const std::string name_;  // none: no configuration names it
  ServedServicesPtr served_;
  std::map<std::string, LocalMethodMaker, std::less<>> methods_;  // by path
};

}  // namespace transom
