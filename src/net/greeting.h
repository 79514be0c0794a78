// Greeting is what comes before a client's first byte of HTTP: the PROXY header and the TLS handshake, as the
// listener's options ask. It owns the new socket until both are over or the time is, and then gives a Transport, or a
// reason why not, once. The Listener owns it and buries it then. One thread.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "net/listener.h"
#include "net/socket_transport.h"
#include "net/timer.h"
#include "net/tls_transport.h"

namespace transom {

class Greeting final : private TransportHandler {
 public:
  // Null: failed; the observer has been told. Never called inside the constructor.
  using OnDone = std::function<void(Greeting&, std::unique_ptr<Transport>)>;

  Greeting(std::unique_ptr<SocketTransport> raw, const ListenerOptions& options, NetObserver* observer, OnDone on_done);

 private:
  void on_transport_bytes(std::string_view bytes) override;
  void on_transport_eof() override;
  void on_transport_drained() override {}
  void on_transport_error(const Status& status) override;

  // How much of the header is still to come is known after its first 16 bytes.
  void on_header_bytes();
  void on_header_end();
  void begin_tls();
  void fail(const std::string& reason);
  void finish(std::unique_ptr<Transport> transport);

  const ListenerOptions& options_;
  NetObserver* observer_;
  OnDone on_done_;
  std::unique_ptr<SocketTransport> raw_;  // until TLS takes it over
  std::unique_ptr<TlsTransport> tls_;
  std::string header_;
  size_t header_bytes_;  // of the part now waited for
  Timer time_over_;
};

}  // namespace transom
