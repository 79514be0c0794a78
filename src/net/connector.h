// Connector opens one transport to a replica: resolves the host (c-ares, off the request path), tries its addresses in
// turn, and gives a Transport or a Status once. Destroying it gives up. A second connect() starts over.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "base/status.h"
#include "net/address.h"
#include "net/loop.h"
#include "net/transport.h"

namespace transom {

class Connector {
 public:
  using OnDone = std::function<void(Result<std::unique_ptr<Transport>>)>;

  // name_servers: as Resolver's.
  static std::unique_ptr<Connector> make(Loop& loop, const std::string& name_servers = "");
  virtual ~Connector() = default;
  // on_done comes later, never inside this call. UNAVAILABLE: refused, unreachable, no such name, timed out.
  virtual void connect(const Address& address, std::chrono::milliseconds timeout, OnDone on_done) = 0;
};

}  // namespace transom
