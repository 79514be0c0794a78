// The header of the PROXY protocol, version 2 (haproxy's proxy-protocol.txt, section 2.2), in which a balancer in front
// of us names the client. Pure. Only stream sockets' families are taken; what follows the addresses (TLVs) is skipped.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/status.h"

namespace transom {

inline constexpr size_t kProxyHeaderFixedBytes = 16;

struct ProxyHeader {
  // "10.0.0.1:5000", "[::1]:5000", "unix:"; empty when the socket's own peer is to stand (LOCAL, or an unknown family).
  std::string source;
};

// How long the whole header is, from its first 16 bytes. INVALID_ARGUMENT when they begin no such header.
Result<size_t> proxy_header_bytes(std::string_view fixed_part);

// The whole header, neither more nor less.
Result<ProxyHeader> parse_proxy_header(std::string_view header);

}  // namespace transom
