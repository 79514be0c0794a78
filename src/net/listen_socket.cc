#include "net/listen_socket.h"

#include <netdb.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "net/errno_text.h"
#include "net/listener.h"
#include "net/socket_address.h"
#include "net/socket_transport.h"

namespace transom {

namespace {

Status unavailable(const Address& address, const std::string& reason) {
  return proxy_error(Code::Unavailable, "cannot listen on " + address.format() + ": " + reason);
}

// A name is looked up here, at start, by the system's own resolver.
Result<SocketAddress> resolve(const Address& address) {
  if (address.kind == Address::Kind::Unix || address.is_literal()) {
    return to_socket_address(address);
  }
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE;
  addrinfo* found = nullptr;
  int error = getaddrinfo(address.host.c_str(), nullptr, &hints, &found);
  if (error != 0) {
    return unavailable(address, gai_strerror(error));
  }
  SocketAddress result;
  std::memcpy(&result.storage, found->ai_addr, found->ai_addrlen);
  result.size = found->ai_addrlen;
  result.set_port(address.port);
  freeaddrinfo(found);
  return result;
}

// Whether the path is a socket that nobody listens on.
bool is_abandoned(const Address& address, const SocketAddress& raw) {
  struct stat status {};
  if (lstat(address.path.c_str(), &status) != 0 || !S_ISSOCK(status.st_mode)) {
    return false;
  }
  int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  bool is_refused = ::connect(fd, raw.raw(), raw.size) != 0 && errno == ECONNREFUSED;
  ::close(fd);
  return is_refused;
}

int bind_to(int fd, const Address& address, const SocketAddress& raw) {
  if (::bind(fd, raw.raw(), raw.size) == 0) {
    return 0;
  }
  if (errno == EADDRINUSE && address.kind == Address::Kind::Unix && is_abandoned(address, raw)) {
    ::unlink(address.path.c_str());
    return ::bind(fd, raw.raw(), raw.size) == 0 ? 0 : errno;
  }
  return errno;
}

void prepare(int fd, const ListenerOptions& options) {
  if (options.address.kind == Address::Kind::Unix) {
    return;
  }
  int on = 1;
  setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
  if (options.reuse_port) {
    setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &on, sizeof(on));
  }
  tune_tcp_socket(fd);
}

}  // namespace

Result<int> open_socket(const ListenerOptions& options) {
  const Address& address = options.address;
  Result<SocketAddress> raw = resolve(address);
  if (!raw.ok()) {
    return raw.status();
  }
  int fd = ::socket(raw->family(), SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) {
    return unavailable(address, errno_text(errno));
  }
  prepare(fd, options);
  int error = bind_to(fd, address, *raw);
  if (error == 0 && ::listen(fd, options.backlog) != 0) {
    error = errno;
  }
  if (error != 0) {
    ::close(fd);
    return unavailable(address, errno_text(error));
  }
  return fd;
}

void close_socket(int fd, const Address& address) {
  if (address.kind == Address::Kind::Unix) {
    ::unlink(address.path.c_str());
  }
  ::close(fd);
}

}  // namespace transom
