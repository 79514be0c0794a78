// Where a listener or a replica is: "host:port", "[v6]:port" or "unix:/path" ("fd:N" comes with a later issue).
#pragma once

#include <cstdint>
#include <string>

#include "base/status.h"

namespace transom {

struct Address {
  enum class Kind : uint8_t { Tcp, Unix };
  Kind kind = Kind::Tcp;
  std::string host;     // name or literal, IPv6 without brackets
  uint16_t port = 0;    // 0: any free one (listeners)
  std::string path;     // Unix

  // As it is written in configuration: "[::1]:80".
  std::string format() const;
  bool is_literal() const;  // an IPv4 or IPv6 literal: no resolving
  bool operator==(const Address&) const = default;
};

// INVALID_ARGUMENT says what is wrong.
Result<Address> parse_address(const std::string& text);

}  // namespace transom
