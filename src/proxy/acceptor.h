// Acceptor gives each new Exchange of one listener on one worker its Relay. Owned by the worker; outlives its sessions.
#pragma once

#include <memory>
#include <utility>

#include "http/exchange.h"
#include "proxy/listener_rules.h"
#include "proxy/worker_services.h"

namespace transom {

class Acceptor final : public ExchangeAcceptor {
 public:
  Acceptor(WorkerServices& services, ListenerRules rules) : services_(services), rules_(std::move(rules)) {}
  virtual ~Acceptor() = default;

  std::unique_ptr<ExchangeHandler> on_exchange(Exchange& exchange) override;

 private:
  WorkerServices& services_;
  const ListenerRules rules_;
};

}  // namespace transom
