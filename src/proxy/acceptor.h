// Acceptor gives each new Exchange of one listener on one worker its Relay. Owned by the worker; outlives its sessions.
#pragma once

#include <cstddef>
#include <memory>

#include "http/exchange.h"
#include "proxy/worker_services.h"

namespace transom {

class Acceptor final : public ExchangeAcceptor {
 public:
  // trusted_hops: how many proxies in front of this listener are believed about X-Forwarded-For.
  Acceptor(WorkerServices& services, size_t trusted_hops) : services_(services), trusted_hops_(trusted_hops) {}
  virtual ~Acceptor() = default;

  std::unique_ptr<ExchangeHandler> on_exchange(Exchange& exchange) override;

 private:
  WorkerServices& services_;
  const size_t trusted_hops_;
};

}  // namespace transom
