// A Transport is an open byte pipe: TCP, unix, or TLS over one of them. It is made by a Listener or a Connector and
// owned by a Session or a Channel. Destroying it closes it at once and is safe inside its own callbacks' caller's turn
// only through Loop::bury; no callback comes after.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/status.h"

namespace transom {

class TransportHandler {
 public:
  virtual void on_transport_bytes(std::string_view bytes) = 0;  // the view dies on return; at most 64 KiB
  // The peer sends no more. It may still read; of one that does not, the next write makes an error.
  virtual void on_transport_eof() = 0;
  // To one that watches the end while it pauses: the peer sends no more than what is unread. Once.
  virtual void on_transport_ending() {}
  virtual void on_transport_drained() = 0;                      // queued() is 0 again after it was not
  virtual void on_transport_error(const Status& status) = 0;    // once, last: reset, failed write, TLS failure

 protected:
  ~TransportHandler() = default;
};

class Transport {
 public:
  virtual ~Transport() = default;

  // Reading starts paused; the handler must outlive the transport or be replaced.
  virtual void set_handler(TransportHandler* handler) = 0;
  virtual void resume_reading() = 0;
  virtual void pause_reading() = 0;
  // The handler hears of the peer's end, or break, while it pauses too, before what is unread. Until the next set_handler.
  virtual void watch_end() = 0;

  // Sends what the kernel takes and queues a copy of the rest; order is kept. Callers stop at write_per_turn and while
  // queued() is not 0.
  virtual void write(std::string_view bytes) = 0;
  virtual size_t queued() const = 0;
  // While something is queued, that and what the peer has not taken from the kernel yet: it shrinks as long as the peer
  // reads, though it be too slow for anything to leave the queue. Else 0. A system call.
  virtual size_t untaken() const = 0;
  // Ends our side after what is queued (TLS: close_notify first).
  virtual void shutdown() = 0;
  // Closes with RST instead of FIN when destroyed (TCP), so that a cut answer cannot look whole.
  virtual void reset_on_close() = 0;

  virtual const std::string& peer() const = 0;   // "10.0.0.1:5000", "[::1]:5000", "unix:"
  virtual std::string_view alpn() const = 0;     // "h2", "http/1.1" or ""
  virtual bool is_tls() const = 0;
};

}  // namespace transom
