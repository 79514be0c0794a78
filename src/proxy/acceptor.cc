#include "proxy/acceptor.h"

#include "proxy/relay.h"

namespace transom {

std::unique_ptr<ExchangeHandler> Acceptor::on_exchange(Exchange& exchange) {
  auto relay = std::make_unique<Relay>(exchange, services_, rules_);
  relay->begin();
  return relay;
}

}  // namespace transom
