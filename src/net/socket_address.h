// SocketAddress is an Address as the kernel takes it, and peers' addresses as people read them.
#pragma once

#include <sys/socket.h>

#include <cstdint>
#include <string>

#include "base/status.h"
#include "net/address.h"

namespace transom {

struct SocketAddress {
  sockaddr_storage storage{};
  socklen_t size = 0;

  int family() const { return storage.ss_family; }
  const sockaddr* raw() const { return reinterpret_cast<const sockaddr*>(&storage); }
  sockaddr* raw() { return reinterpret_cast<sockaddr*>(&storage); }
  // 0 for anything but IPv4 and IPv6.
  uint16_t port() const;
  void set_port(uint16_t port);
  // "10.0.0.1:5000" (also for an IPv4 client of an IPv6 socket), "[::1]:5000", "unix:".
  std::string format() const;
};

// An IP literal or a unix path; INVALID_ARGUMENT for a name.
Result<SocketAddress> to_socket_address(const Address& address);

// The family's address from its bytes in network order (4 or 16 of them).
SocketAddress make_ip_address(int family, const void* bytes, uint16_t port);

}  // namespace transom
