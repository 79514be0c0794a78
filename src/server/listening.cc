#include "server/listening.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <utility>

namespace transom {
namespace {

uint16_t port_of(int fd) {
  sockaddr_storage storage{};
  socklen_t size = sizeof(storage);
  if (getsockname(fd, reinterpret_cast<sockaddr*>(&storage), &size) != 0) return 0;
  const bool is_v6 = storage.ss_family == AF_INET6;
  return ntohs(is_v6 ? reinterpret_cast<const sockaddr_in6&>(storage).sin6_port
                     : reinterpret_cast<const sockaddr_in&>(storage).sin_port);
}

// Sockets that share a port would also share it with another process of ours; one that does not finds that out.
Status probe(ListenerOptions options) {
  options.reuse_port = false;
  const Result<int> fd = open_socket(options);
  if (!fd.ok()) return fd.status();
  ::close(*fd);
  return {};
}

}  // namespace

Result<ListeningSockets> ListeningSockets::open(const ListenerOptions& options, size_t workers) {
  ListeningSockets sockets;
  ListenerOptions each = options;
  const bool is_tcp = options.address.kind == Address::Kind::Tcp;
  const size_t count = is_tcp ? workers : 1;
  each.reuse_port = count > 1;
  if (each.reuse_port && options.address.port != 0) {
    if (Status status = probe(each); !status.ok()) return status;
  }
  for (size_t i = 0; i < count; ++i) {
    const Result<int> fd = open_socket(each);
    if (!fd.ok()) return fd.status();
    sockets.fds_.push_back(*fd);
    if (is_tcp) each.address.port = port_of(*fd);
  }
  sockets.address_ = each.address;
  return sockets;
}

ListeningSockets::ListeningSockets(ListeningSockets&& other) noexcept
    : address_(std::move(other.address_)), fds_(std::exchange(other.fds_, {})) {}

ListeningSockets::~ListeningSockets() { close(); }

void ListeningSockets::close() {
  for (int fd : std::exchange(fds_, {}))
    ::close(fd);
}

void ListeningSockets::remove_file() const {
  if (address_.kind == Address::Kind::Unix) ::unlink(address_.path.c_str());
}

}  // namespace transom
