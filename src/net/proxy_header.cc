#include "net/proxy_header.h"

#include <sys/socket.h>

#include <cstdint>

#include "net/socket_address.h"

namespace transom {

namespace {

constexpr std::string_view kSignature("\r\n\r\n\0\r\nQUIT\n", 12);

// The family and protocol byte, and where the source's port stands in the addresses that follow.
constexpr uint8_t kUnspecified = 0x00;
constexpr uint8_t kTcp4 = 0x11;
constexpr uint8_t kTcp6 = 0x21;
constexpr uint8_t kUnixStream = 0x31;

struct Shape {
  int family;
  size_t addresses_bytes;
  size_t source_port_at;
};

uint8_t byte_at(std::string_view bytes, size_t index) { return static_cast<uint8_t>(bytes[index]); }

uint16_t number_at(std::string_view bytes, size_t index) {
  return static_cast<uint16_t>((byte_at(bytes, index) << 8) | byte_at(bytes, index + 1));
}

Status refuse(const char* why) {
  return client_error(Code::InvalidArgument, std::string("not a PROXY protocol v2 header: ") + why);
}

Result<ProxyHeader> read_source(const Shape& shape, std::string_view addresses) {
  if (addresses.size() < shape.addresses_bytes) {
    return refuse("the addresses are cut short");
  }
  if (shape.family == AF_UNIX) {
    return ProxyHeader{"unix:"};
  }
  uint16_t port = number_at(addresses, shape.source_port_at);
  return ProxyHeader{make_ip_address(shape.family, addresses.data(), port).format()};
}

}  // namespace

Result<size_t> proxy_header_bytes(std::string_view fixed_part) {
  if (fixed_part.substr(0, kSignature.size()) != kSignature) {
    return refuse("the signature is missing");
  }
  if (fixed_part.size() != kProxyHeaderFixedBytes) {
    return refuse("it is cut short");
  }
  if (byte_at(fixed_part, 12) >> 4 != 2) {
    return refuse("the version is not 2");
  }
  return kProxyHeaderFixedBytes + number_at(fixed_part, 14);
}

Result<ProxyHeader> parse_proxy_header(std::string_view header) {
  Result<size_t> bytes = proxy_header_bytes(header.substr(0, kProxyHeaderFixedBytes));
  if (!bytes.ok()) {
    return bytes.status();
  }
  if (header.size() != *bytes) {
    return refuse("its length is another than it says");
  }
  bool is_local = (byte_at(header, 12) & 0x0f) == 0;
  if (!is_local && (byte_at(header, 12) & 0x0f) != 1) {
    return refuse("the command is neither LOCAL nor PROXY");
  }
  if (is_local) {
    return ProxyHeader{};
  }
  std::string_view addresses = header.substr(kProxyHeaderFixedBytes);
  switch (byte_at(header, 13)) {
    case kUnspecified:
      return ProxyHeader{};
    case kTcp4:
      return read_source({AF_INET, 12, 8}, addresses);
    case kTcp6:
      return read_source({AF_INET6, 36, 32}, addresses);
    case kUnixStream:
      return read_source({AF_UNIX, 216, 0}, addresses);
    default:
      return refuse("the family is not one of stream sockets");
  }
}

}  // namespace transom
