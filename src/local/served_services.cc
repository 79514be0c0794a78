#include "local/served_services.h"

#include <algorithm>

namespace transom {

ServedServices::ServedServices(const std::vector<ServedService>& services) {
  for (const ServedService& service : services) {
    const auto known = std::ranges::find(services_, service.name, &ServedService::name);
    if (known == services_.end()) {
      services_.push_back(service);
    } else {
      known->backends.insert(known->backends.end(), service.backends.begin(), service.backends.end());
      known->schema = known->schema == nullptr ? service.schema : known->schema;
    }
    if (service.schema != nullptr && std::ranges::find(schemas_, service.schema) == schemas_.end()) {
      schemas_.push_back(service.schema);
    }
  }
}

const ServedService* ServedServices::find(std::string_view name) const {
  const auto found = std::ranges::find(services_, name, &ServedService::name);
  return found == services_.end() ? nullptr : &*found;
}

}  // namespace transom
