// Listener accepts client transports on one address and one Loop. TCP listeners set SO_REUSEPORT so that every worker
// has its own; a unix socket is opened once (open_socket) and shared. Running out of file descriptors pauses accepting
// and is told to the observer; it resumes by itself.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/limits.h"
#include "base/status.h"
#include "net/address.h"
#include "net/listen_socket.h"
#include "net/loop.h"
#include "net/transport.h"

namespace transom {

class TlsServer;  // net/tls.h

class NetObserver {
 public:
  virtual void on_accept_paused(const std::string& reason) = 0;  // EMFILE, ENFILE, ENOBUFS, memory
  virtual void on_tls_failed(const std::string& peer, const std::string& reason) = 0;
  virtual void on_proxy_header_failed(const std::string&, const std::string&) {}  // peer and reason

 protected:
  ~NetObserver() = default;
};

struct ListenerOptions {
  Address address;
  int backlog = 1024;
  bool reuse_port = true;
  std::shared_ptr<const TlsServer> tls;  // null: plain
  // A PROXY v2 header comes first (haproxy's proxy-protocol.txt); peer() is then its source.
  bool proxy_protocol = false;
  std::chrono::milliseconds handshake_timeout{30'000};  // of PROXY header and TLS
  size_t proxy_header_bytes = SessionLimits{}.proxy_header_bytes;
};

class Listener {
 public:
  using OnAccept = std::function<void(std::unique_ptr<Transport>)>;  // after PROXY header and TLS handshake

  // shared_fd: a listening socket made by open_socket (it is duplicated), or -1 to open one here.
  static Result<std::unique_ptr<Listener>> open(Loop& loop, const ListenerOptions& options, int shared_fd,
                                                NetObserver* observer, OnAccept on_accept);
  virtual ~Listener() = default;
  virtual const Address& address() const = 0;  // with the real port
  virtual void pause() = 0;                    // stops accepting; the backlog fills
  virtual void resume() = 0;
};

}  // namespace transom
