// What the configuration says of streams towards clients. Part of a snapshot; never changes.
#pragma once

#include <chrono>
#include <string>

#include "base/limits.h"
#include "protocol/media_type.h"

namespace transom {

struct StreamOptions {
  Framing framing = Framing::NdJson;  // where the client asks for none
  std::chrono::milliseconds event_keep_alive = kEventKeepAlive;  // a comment in an idle event stream; 0: none
  std::string event_id;    // dotted path of the field of each message that is its event's id; "": none
  std::string last_event;  // data of an event that tells a good end; "": none
  bool binds_every = false;  // path and query go into every message of the client's stream, not only the first
};

}  // namespace transom
