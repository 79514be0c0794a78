// SocketTransport is a Transport over one connected TCP or unix socket. It reads at most 64 KiB a turn, writes at once
// what the kernel takes and queues the rest. Pausing costs nothing until bytes come. A failed write is told like a
// failed read: later, after what the peer had sent before, if that is being read. It may be destroyed inside its own
// callbacks. Made by Listener and by Connector; one thread.
#pragma once

#include <memory>
#include <string>

#include "base/byte_queue.h"
#include "net/transport.h"
#include "net/watch.h"

namespace transom {

class SocketTransport final : public Transport, private WatchTarget {
 public:
  SocketTransport(std::unique_ptr<Watch> watch, std::string peer);
  ~SocketTransport();

  void set_handler(TransportHandler* handler) override;
  void resume_reading() override;
  void pause_reading() override { is_reading_ = false; }
  void watch_end() override;
  void write(std::string_view bytes) override;
  size_t queued() const override { return queue_.size(); }
  size_t untaken() const override;
  void shutdown() override;
  void reset_on_close() override { resets_on_close_ = true; }
  const std::string& peer() const override { return peer_; }
  std::string_view alpn() const override { return ""; }
  bool is_tls() const override { return false; }

  // Each read takes no more than that from the socket (a header that precedes everything else).
  void set_read_max(size_t bytes);
  void set_peer(std::string peer) { peer_ = std::move(peer); }
  Loop& loop() { return watch_->loop(); }
  // As Watch::is_gone().
  const bool& is_gone() const { return watch_->is_gone(); }

 private:
  void on_ready(bool is_readable, bool is_writable) override;
  // Returns how many bytes the kernel took.
  size_t send_now(std::string_view bytes);
  void send_queued();
  void shut_down_when_sent();
  void read_once();
  void fail(int error);
  void tell_failure();
  // came_in_vain: there are bytes, and nobody wants them.
  void update_interest(bool came_in_vain);
  bool can_read() const;
  // What must be known of the peer that reading does not tell.
  Watch::Peer watched_peer() const;
  void look_at_peer();

  std::unique_ptr<Watch> watch_;
  std::string peer_;
  TransportHandler* handler_ = nullptr;
  ByteQueue queue_;
  size_t read_max_;
  int error_ = 0;  // of the first system call that failed
  bool is_reading_ = false;
  bool watches_end_ = false;
  bool has_told_ending_ = false;
  bool has_eof_ = false;
  bool ends_after_queue_ = false;
  bool resets_on_close_ = false;
  bool has_told_failure_ = false;
};

// No delay, and little unsent in the kernel, so that queued() tells about the peer. Accepted sockets inherit both.
void tune_tcp_socket(int fd);

}  // namespace transom
