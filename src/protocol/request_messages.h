// RequestMessages is the request half of a protocol that reads JSON or raw bytes: the client's body -> Conversions, one
// per message. Two kinds: JsonRequest, whose whole body is one message, and JsonRequestStream. Pure; owned by its
// protocol.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "base/status.h"
#include "base/strictness.h"
#include "protocol/client_protocol.h"

namespace transom {

class RequestMessages {
 public:
  virtual ~RequestMessages() = default;
  // Errors refuse the request: 400, 413, 415.
  virtual Status on_head(const BodyHead& head) = 0;
  virtual Status on_bytes(std::string_view bytes) = 0;
  virtual void on_end() = 0;
  virtual std::optional<Conversion> next() = 0;
  // No message will come any more.
  virtual bool is_done() const = 0;
  // Any number of messages, so that the call begins before the first.
  virtual bool is_stream() const = 0;
  virtual size_t held_bytes() const = 0;
  virtual SlipSet slips() const = 0;
};

// Whether that body can be read: 415 for a content coding, and for a type that is not JSON unless the rules let it pass
// or take HttpBody.
Status check_body_type(const TranscodeRules& rules, const BodyHead& head, SlipSet& slips);

}  // namespace transom
