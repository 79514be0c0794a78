// ServedServices are the services that clients can reach by name, each with its schema and backends: what reflection
// and grpc.health.v1 tell of. Made with the routes and, like them, constant; shared by every thread.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "schema/schema.h"

namespace transom {

struct ServedService {
  std::string name;              // "package.Service"
  std::vector<size_t> backends;  // in Snapshot::backends; none: the proxy answers it itself
  SchemaPtr schema;              // null while it is still to be reflected
};

class ServedServices {
 public:
  // Of two entries with one name the backends are put together.
  explicit ServedServices(const std::vector<ServedService>& services);

  std::span<const ServedService> services() const { return services_; }
  const ServedService* find(std::string_view name) const;
  // All that are known, in the order of their services; each once.
  std::span<const SchemaPtr> schemas() const { return schemas_; }

 private:
  std::vector<ServedService> services_;
  std::vector<SchemaPtr> schemas_;
};

using ServedServicesPtr = std::shared_ptr<const ServedServices>;

}  // namespace transom
