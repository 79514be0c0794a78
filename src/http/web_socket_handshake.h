// The opening handshake of a WebSocket as the server sees it: RFC 6455 section 4.2 over HTTP/1.1, RFC 8441 section 5
// over HTTP/2. Pure.
#pragma once

#include <string>
#include <string_view>

#include "http/exchange.h"
#include "http/refusal.h"

namespace transom {

// The only version of the protocol; told to who asks for another (RFC 6455 section 4.4).
inline constexpr std::string_view kWebSocketVersion = "13";

// What is wrong with a request for a WebSocket.
Refusal check_web_socket(const RequestHead& head);

// The value of Sec-WebSocket-Accept.
std::string web_socket_accept(std::string_view key);

// The answer's head when the handler has accepted: 101 or 200, without what only an answer with a body has.
ResponseHead web_socket_head(const RequestHead& request, const ResponseHead& accepted);

}  // namespace transom
