// Which ClientProtocol a request speaks, by its route's kind, its RPC's kind and its head. Pure; a part of Relay.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "base/status.h"
#include "http/exchange.h"
#include "protocol/client_protocol.h"
#include "route/route.h"

namespace transom {

// Exactly one of the two.
struct ChosenProtocol {
  std::unique_ptr<ClientProtocol> protocol;
  std::optional<AnswerEnd> answer = std::nullopt;  // known without a call: HEAD of a stream
  std::string_view subprotocol = {};  // of a WebSocket, to be told; a literal
};

// head, route and rules must outlive the protocol. alt: `$alt` of the query, which beats Accept. INVALID_ARGUMENT: it
// names no form that the RPC can answer in.
Result<ChosenProtocol> choose_protocol(const RequestHead& head, const Route& route, const TranscodeRules& rules,
                                       RequestBindings&& bindings, std::string_view alt);

}  // namespace transom
