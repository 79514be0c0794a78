// Whose pages may open a WebSocket. A browser opens one for any page, with the user's cookies, and asks no preflight:
// whether the page may is for the server to decide (RFC 6455 section 10.2). Pure.
#pragma once

#include "http/exchange.h"
#include "proxy/cors.h"

namespace transom {

// A client that is no page says no Origin. A page's must be of the host that it asks, or one that the listener's `cors`
// allows; cors: may be null.
bool may_open_web_socket(const RequestHead& head, const Cors* cors);

}  // namespace transom
