// How a request for a WebSocket is spoken, by its route and its offers of subprotocols. Pure; a part of Relay.
#pragma once

#include "proxy/protocol_choice.h"

namespace transom {

// As choose_protocol.
Result<ChosenProtocol> choose_web_socket(const RequestHead& head, const Route& route, const TranscodeRules& rules,
                                         RequestBindings&& bindings);

}  // namespace transom
