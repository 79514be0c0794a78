#include "local/local_backend.h"

#include <utility>

#include "base/check.h"
#include "local/health_service.h"
#include "local/local_call.h"
#include "local/local_files.h"
#include "local/reflection_service.h"
#include "schema/schema_loader.h"

namespace transom {
namespace {

// A path that is routed here but has no method is a mistake of ours; its client hears of it all the same.
class NoMethod final : public LocalMethod {
 public:
  explicit NoMethod(LocalAnswer& answer) : answer_(answer) {}
  void on_message(std::string_view) override { refuse(); }
  void on_half_close() override { refuse(); }

 private:
  void refuse() { answer_.end(proxy_error(Code::Unimplemented, "no such gRPC method")); }
  LocalAnswer& answer_;
};

std::string path_of(std::string_view service, std::string_view method) {
  return "/" + std::string(service) + "/" + std::string(method);
}

}  // namespace

SchemaPtr local_schema() {
  static const SchemaPtr schema = [] {
    SchemaLoader loader;
    const Status added = loader.add_descriptor_set(local_descriptor_set(), "the proxy itself");
    Result<SchemaPtr> loaded = loader.load();
    check(added.ok() && loaded.ok(), "the services of the proxy itself make a schema");
    return *loaded;
  }();
  return schema;
}

LocalBackend::LocalBackend(Loop& loop, const Readiness& readiness, size_t window)
    : loop_(loop), window_(window), served_(std::make_shared<const ServedServices>(std::vector<ServedService>())) {
  const auto served = [this] { return served_; };
  for (const std::string_view service : kReflectionServices) {
    methods_[path_of(service, "ServerReflectionInfo")] = [served](LocalAnswer& answer) {
      return std::make_unique<ReflectionService>(answer, served);
    };
  }
  for (const auto& [method, kind] :
       {std::pair("Check", HealthService::Kind::Check), {"Watch", HealthService::Kind::Watch}}) {
    methods_[path_of(kHealthService, method)] = [served, &readiness, kind = kind](LocalAnswer& answer) {
      return std::make_unique<HealthService>(answer, kind, readiness, served);
    };
  }
}

std::unique_ptr<Call> LocalBackend::start(CallHead head, CallHandler& handler) {
  static const LocalMethodMaker kNone = [](LocalAnswer& answer) { return std::make_unique<NoMethod>(answer); };
  const auto found = methods_.find(head.path);
  return std::make_unique<LocalCall>(loop_, head, handler, found == methods_.end() ? kNone : found->second, window_);
}

}  // namespace transom
