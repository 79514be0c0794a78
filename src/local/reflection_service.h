// ReflectionService answers grpc.reflection.v1 and v1alpha, whose messages are alike, for one call: which services are
// served, and the descriptor files that a client needs to call them. What more than one backend brings under one name
// is answered by the schema of the first. Within a call no file is sent twice but the one that was asked for.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "local/local_service.h"
#include "local/served_services.h"

namespace transom {

class ReflectionService final : public LocalMethod {
 public:
  // served: what is served now, asked for at each message.
  ReflectionService(LocalAnswer& answer, std::function<ServedServicesPtr()> served)
      : answer_(answer), served_(std::move(served)) {}

  void on_message(std::string_view message) override;
  void on_half_close() override { answer_.end({}); }

 private:
  void add_files(const SchemaFiles& files, const SchemaFile& first, std::string& response);

  LocalAnswer& answer_;
  const std::function<ServedServicesPtr()> served_;
  std::set<std::string> sent_;
};

}  // namespace transom
