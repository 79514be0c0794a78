// SHA-1 (FIPS 180-4), which the WebSocket handshake asks for (RFC 6455 section 4.2.2). Nothing relies on it for
// security. Free function, any thread.
#pragma once

#include <string>
#include <string_view>

namespace transom {

// 20 bytes.
std::string sha1(std::string_view bytes);

}  // namespace transom
