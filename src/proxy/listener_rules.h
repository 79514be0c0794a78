// ListenerRules are what one listener's configuration says of the requests that come in by it. Owned by its Acceptor,
// which outlives its Relays; constant.
#pragma once

#include <cstddef>
#include <memory>

#include "proxy/cors.h"

namespace transom {

struct ListenerRules {
  size_t trusted_hops = 0;           // how many proxies in front are believed about X-Forwarded-For
  std::shared_ptr<const Cors> cors;  // null: the listener says nothing of other origins
};

}  // namespace transom
