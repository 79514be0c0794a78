#include "net/socket_address.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/un.h>

#include <cstddef>
#include <cstring>

namespace transom {

namespace {

const sockaddr_in& v4(const SocketAddress& address) { return reinterpret_cast<const sockaddr_in&>(address.storage); }
const sockaddr_in6& v6(const SocketAddress& address) { return reinterpret_cast<const sockaddr_in6&>(address.storage); }

std::string format_ip(int family, const void* bytes, uint16_t port) {
  char text[INET6_ADDRSTRLEN] = "";
  inet_ntop(family, bytes, text, sizeof(text));
  return (family == AF_INET6 ? "[" + std::string(text) + "]" : std::string(text)) + ":" + std::to_string(port);
}

}  // namespace

uint16_t SocketAddress::port() const {
  switch (family()) {
    case AF_INET:
      return ntohs(v4(*this).sin_port);
    case AF_INET6:
      return ntohs(v6(*this).sin6_port);
    default:
      return 0;
  }
}

void SocketAddress::set_port(uint16_t port) {
  if (family() == AF_INET) {
    reinterpret_cast<sockaddr_in&>(storage).sin_port = htons(port);
  } else if (family() == AF_INET6) {
    reinterpret_cast<sockaddr_in6&>(storage).sin6_port = htons(port);
  }
}

std::string SocketAddress::format() const {
  switch (family()) {
    case AF_INET:
      return format_ip(AF_INET, &v4(*this).sin_addr, port());
    case AF_INET6: {
      const in6_addr& ip = v6(*this).sin6_addr;
      return IN6_IS_ADDR_V4MAPPED(&ip) ? format_ip(AF_INET, ip.s6_addr + 12, port()) : format_ip(AF_INET6, &ip, port());
    }
    default:
      return "unix:";
  }
}

SocketAddress make_ip_address(int family, const void* bytes, uint16_t port) {
  SocketAddress result;
  result.storage.ss_family = static_cast<sa_family_t>(family);
  if (family == AF_INET) {
    std::memcpy(&reinterpret_cast<sockaddr_in&>(result.storage).sin_addr, bytes, sizeof(in_addr));
    result.size = sizeof(sockaddr_in);
  } else {
    std::memcpy(&reinterpret_cast<sockaddr_in6&>(result.storage).sin6_addr, bytes, sizeof(in6_addr));
    result.size = sizeof(sockaddr_in6);
  }
  result.set_port(port);
  return result;
}

Result<SocketAddress> to_socket_address(const Address& address) {
  if (address.kind == Address::Kind::Unix) {
    SocketAddress result;
    auto& raw = reinterpret_cast<sockaddr_un&>(result.storage);
    if (address.path.size() >= sizeof(raw.sun_path)) {
      return client_error(Code::InvalidArgument, address.format() + ": the path is too long");
    }
    raw.sun_family = AF_UNIX;
    std::memcpy(raw.sun_path, address.path.data(), address.path.size());
    result.size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + address.path.size() + 1);
    return result;
  }
  in6_addr ip;
  for (int family : {AF_INET, AF_INET6}) {
    if (inet_pton(family, address.host.c_str(), &ip) == 1) {
      return make_ip_address(family, &ip, address.port);
    }
  }
  return client_error(Code::InvalidArgument, address.format() + " is not an IP address");
}

}  // namespace transom
