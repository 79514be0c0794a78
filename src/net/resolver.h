// Resolver finds the addresses of a host name by c-ares, whose sockets and timeouts stand on the Loop: /etc/hosts
// first, then the servers of /etc/resolv.conf, read anew for each lookup. One lookup at a time. Destroying it gives up.
// Owned by who asks (Connector, discovery); one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "net/loop.h"
#include "net/socket_address.h"

namespace transom {

class Resolver {
 public:
  using OnDone = std::function<void(Result<std::vector<SocketAddress>>)>;

  // servers: "127.0.0.1:53,[::1]:53" instead of the system's; "" for those.
  explicit Resolver(Loop& loop, std::string servers = "");
  ~Resolver();
  Resolver(const Resolver&) = delete;
  Resolver& operator=(const Resolver&) = delete;

  // on_done comes later, never inside this call, with at least one address, best first (RFC 6724); it may destroy the
  // resolver. NOT_FOUND: no such name; UNAVAILABLE: no server answers. A second resolve() starts over.
  void resolve(const std::string& host, uint16_t port, OnDone on_done);
  void give_up();

 private:
  struct Lookup;
  Loop& loop_;
  const std::string servers_;
  std::unique_ptr<Lookup> lookup_;
};

}  // namespace transom
