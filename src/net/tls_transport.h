// TlsTransport is the server's side of TLS over a SocketTransport, which it owns. It is made for the handshake; what
// reads and writes afterwards cannot tell it from a plain one. OpenSSL sees the socket through a BIO that takes the
// bytes just read and collects records, so that a write of many records is one system call. An end without
// close_notify is an end: HTTP's own framing tells whether something is missing. One thread.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "net/socket_transport.h"
#include "net/timer.h"
#include "net/tls.h"

struct ssl_st;
struct bio_st;

namespace transom {

class TlsTransport final : public Transport, private TransportHandler {
 public:
  using OnHandshake = std::function<void(const Status&)>;

  TlsTransport(std::unique_ptr<SocketTransport> raw, std::shared_ptr<const TlsServer> server);
  ~TlsTransport();

  // on_done comes once, later. After a failure nothing but destroying is left; both are fine inside it.
  void handshake(OnHandshake on_done);

  void set_handler(TransportHandler* handler) override;
  void resume_reading() override;
  void pause_reading() override;
  void watch_end() override;
  void write(std::string_view bytes) override;
  size_t queued() const override { return raw_->queued(); }
  size_t untaken() const override { return raw_->untaken(); }
  void shutdown() override;
  void reset_on_close() override { raw_->reset_on_close(); }
  const std::string& peer() const override { return raw_->peer(); }
  std::string_view alpn() const override { return alpn_; }
  bool is_tls() const override { return true; }

 private:
  friend struct TlsPort;  // the BIO's side, in tls_transport.cc

  void on_transport_bytes(std::string_view bytes) override;
  void on_transport_eof() override;
  void on_transport_ending() override;
  void tell_ending();
  void on_transport_drained() override;
  void on_transport_error(const Status& status) override;

  // Whether bytes that were read wait for a reader.
  bool has_stash() const;
  // Whether close_notify has come and was not told yet.
  bool has_unread_end() const;
  void go_on_handshaking();
  void end_handshake(const Status& status);
  // Gives on what input_ and OpenSSL hold, until the reader pauses or nothing is left.
  void read_plain();
  size_t decrypt(char* target, size_t bytes);
  void send_records();
  void fail(const std::string& reason);

  std::unique_ptr<SocketTransport> raw_;
  const std::shared_ptr<const TlsServer> server_;
  ssl_st* ssl_;
  TransportHandler* handler_ = nullptr;
  OnHandshake on_handshake_;
  std::string_view input_;  // what OpenSSL has not taken of the bytes now at hand
  std::string stash_;       // what was left of them when the reader paused
  Timer unstash_;           // gives it on after resume_reading()
  std::string alpn_;
  std::string failure_;       // what broke it, until it is told
  size_t unasked_bytes_ = 0;  // queued without a write(): alerts, key updates
  bool is_open_ = false;      // the handshake is over
  bool is_reading_ = false;
  bool watches_end_ = false;
  bool is_ending_ = false;  // the peer, which was not told yet
  bool has_eof_ = false;
  bool has_ended_ = false;  // our side
  bool has_failed_ = false;
};

}  // namespace transom
