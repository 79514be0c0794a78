// The HTTP/2 side of a worker's sessions, seen from where a session begins: by ALPN, by the preface, or by an upgrade
// from HTTP/1.1 (RFC 9113 section 3, RFC 7540 section 3.2).
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "http/session_room.h"
#include "net/transport.h"

namespace transom {

// A request that came as HTTP/1.1 and is answered as HTTP/2 stream 1.
struct H2Upgrade {
  std::string settings;  // HTTP2-Settings as it came
  RequestHead head;
  bool takes_trailers = false;
};

// Whether the settings can be decoded; otherwise the upgrade is not taken up.
bool are_valid_h2_settings(std::string_view settings);

// The session must be in the room's set before begin().
class H2Opening : public Session {
 public:
  virtual void begin(std::unique_ptr<H2Upgrade> upgrade, std::string_view bytes) = 0;
};

std::unique_ptr<H2Opening> make_h2_session(SessionRoom& room, std::unique_ptr<Transport> transport);

}  // namespace transom
