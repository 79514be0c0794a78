// TlsServer is one listener's certificate, key and client policy (OpenSSL, TLS 1.2 and up, ALPN h2 then http/1.1).
// Immutable, shared by all workers.
#pragma once

#include <memory>
#include <string>

#include "base/status.h"

struct ssl_ctx_st;

namespace transom {

struct TlsOptions {
  std::string certificate;  // PEM chain, a file
  std::string private_key;  // PEM, a file
  std::string client_ca;    // PEM; "" asks for no client certificate, else one is required
};

class TlsServer {
 public:
  // INVALID_ARGUMENT names the file and OpenSSL's reason.
  static Result<std::shared_ptr<const TlsServer>> load(const TlsOptions& options);
  ~TlsServer();
  TlsServer(const TlsServer&) = delete;
  TlsServer& operator=(const TlsServer&) = delete;

  // OpenSSL counts its uses there, and locks it itself.
  ssl_ctx_st* handle() const { return handle_; }

 private:
  explicit TlsServer(ssl_ctx_st* handle) : handle_(handle) {}
  Status apply(const TlsOptions& options);

  ssl_ctx_st* handle_;
};

// The reason of this thread's last OpenSSL failure, in words; its error queue is empty afterwards.
std::string take_openssl_reason();

}  // namespace transom
