// What a WebSocket's frames carry, as its client chose by Sec-WebSocket-Protocol, and the close codes that tell a status.
// Pure.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/fields.h"
#include "base/status.h"

namespace transom {

enum class WebSocketForm : uint8_t {
  Json,   // "transom.json": a text frame is the JSON of a message
  Proto,  // "transom.proto": a binary frame is a message's bytes
};

struct WebSocketChoice {
  WebSocketForm form = WebSocketForm::Json;
  std::string_view subprotocol;  // to be told; "" when the client offered none
};

// The client's first offer that is known. INVALID_ARGUMENT: there are offers, all unknown; a browser would only say that
// its handshake failed.
Result<WebSocketChoice> choose_web_socket_form(const Fields& request);

// 1000 for OK; 1009 for what is too large and 1003 for a frame of the wrong type; else 4000 and the code, "4005" for
// NOT_FOUND, with 4002 (UNKNOWN) for codes that nobody knows.
uint16_t close_code_of(const Status& status);

}  // namespace transom
