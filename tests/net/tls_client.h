// A TLS client for the tests: OpenSSL over a blocking socket, on a thread of its own.
#pragma once

#include <gtest/gtest.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <functional>
#include <string>
#include <thread>

#include "net/socket_address.h"
#include "net/tls_files.h"

namespace transom {

struct TlsClientOptions {
  std::string alpn;                     // wire form, "" for none
  const TlsFiles* own = nullptr;        // client certificate
  const TlsFiles* authority = nullptr;  // the server's, checked when given
  int max_version = 0;
  int receive_buffer = 0;  // bytes in the kernel; 0: as it likes
  std::string preamble;    // plain bytes before the handshake
};

class TlsClient {
 public:
  // The script runs after a handshake that succeeded, on the client's thread.
  TlsClient(const Address& address, const TlsClientOptions& options, std::function<void(TlsClient&)> script)
      : thread_([this, address, options, script = std::move(script)] { run(address, options, script); }) {}
  ~TlsClient() { join(); }
  void join() {
    if (thread_.joinable()) {
      thread_.join();
    }
  }

  void write(const std::string& bytes) {
    EXPECT_EQ(SSL_write(ssl, bytes.data(), static_cast<int>(bytes.size())), static_cast<int>(bytes.size()));
  }
  // Until that many have come, or the end.
  std::string read(size_t bytes) {
    std::string result;
    char buffer[16 * 1024];
    while (result.size() < bytes) {
      int got = SSL_read(ssl, buffer, static_cast<int>(std::min(sizeof(buffer), bytes - result.size())));
      if (got <= 0) {
        end = SSL_get_error(ssl, got);
        break;
      }
      result.append(buffer, static_cast<size_t>(got));
    }
    return result;
  }

  // After join(), or inside the script:
  SSL* ssl = nullptr;
  int fd = -1;
  bool has_shaken_hands = false;
  int end = 0;  // SSL_ERROR_ZERO_RETURN: close_notify came
  std::string protocol;
  std::string version;

 private:
  void run(const Address& address, const TlsClientOptions& options, const std::function<void(TlsClient&)>& script) {
    SSL_CTX* settings = SSL_CTX_new(TLS_client_method());
    SSL_CTX_set_max_proto_version(settings, options.max_version);
    if (options.own != nullptr) {
      SSL_CTX_use_certificate_file(settings, options.own->certificate.c_str(), SSL_FILETYPE_PEM);
      SSL_CTX_use_PrivateKey_file(settings, options.own->private_key.c_str(), SSL_FILETYPE_PEM);
    }
    if (options.authority != nullptr) {
      SSL_CTX_load_verify_locations(settings, options.authority->certificate.c_str(), nullptr);
      SSL_CTX_set_verify(settings, SSL_VERIFY_PEER, nullptr);
    }
    ssl = SSL_new(settings);
    if (!options.alpn.empty()) {
      SSL_set_alpn_protos(ssl, reinterpret_cast<const unsigned char*>(options.alpn.data()),
                          static_cast<unsigned>(options.alpn.size()));
    }
    SocketAddress target = to_socket_address(address).value();
    fd = ::socket(target.family(), SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (options.receive_buffer != 0) {
      setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &options.receive_buffer, sizeof(options.receive_buffer));
    }
    EXPECT_EQ(::connect(fd, target.raw(), target.size), 0);
    send(fd, options.preamble.data(), options.preamble.size(), MSG_NOSIGNAL);
    SSL_set_fd(ssl, fd);
    has_shaken_hands = SSL_connect(ssl) == 1;
    if (has_shaken_hands) {
      const unsigned char* chosen = nullptr;
      unsigned int bytes = 0;
      SSL_get0_alpn_selected(ssl, &chosen, &bytes);
      protocol.assign(reinterpret_cast<const char*>(chosen), bytes);
      version = SSL_get_version(ssl);
      script(*this);
    }
    SSL_free(ssl);
    SSL_CTX_free(settings);
    ::close(fd);
  }

  std::thread thread_;
};

}  // namespace transom
