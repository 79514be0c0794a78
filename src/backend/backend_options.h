// What a Backend is told at its making. Plain values.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/limits.h"
#include "base/version.h"
#include "net/address.h"

namespace transom {

enum class Policy : uint8_t { RoundRobin, LeastRequest };

struct ReplicaOptions {
  Address address;
  std::string name;     // as configured: the metric's `replica`
  uint32_t weight = 1;  // 0 counts as 1
};

struct BackendOptions {
  std::string name;
  std::vector<ReplicaOptions> replicas;
  Policy policy = Policy::LeastRequest;
  ChannelLimits limits;
  std::string user_agent = "grpc-transom/" + version();  // sent unless the call's metadata has its own
};

}  // namespace transom
