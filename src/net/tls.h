// TlsServer is one listener's certificate, key and client policy (OpenSSL, TLS 1.2 and up, ALPN h2 then http/1.1).
// Immutable, shared by all workers.
#pragma once

#include <memory>
#include <string>

#include "base/status.h"

namespace transom {

struct TlsOptions {
  std::string certificate;  // PEM chain, a file
  std::string private_key;  // PEM, a file
  std::string client_ca;    // PEM; "" asks for no client certificate, else one is required
};

class TlsServer {
 public:
  virtual ~TlsServer() = default;
  // INVALID_ARGUMENT names the file and OpenSSL's reason.
  static Result<std::shared_ptr<const TlsServer>> load(const TlsOptions& options);
};

}  // namespace transom
