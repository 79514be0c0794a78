#include "net/tls.h"

#include <openssl/err.h>
#include <openssl/ssl.h>

#include <string_view>

namespace transom {

namespace {

// In the wire form of RFC 7301 section 3.1, the one we like best first.
constexpr std::string_view kProtocols = "\x02h2\x08http/1.1";

// Those TLS 1.2 suites that HTTP/2 allows (RFC 9113 appendix A lists the others).
constexpr char kTls12Ciphers[] = "ECDHE+AESGCM:ECDHE+CHACHA20";

int choose_protocol(SSL*, const unsigned char** chosen, unsigned char* chosen_bytes, const unsigned char* offered,
                    unsigned int offered_bytes, void*) {
  unsigned char* found = nullptr;
  int outcome = SSL_select_next_proto(&found, chosen_bytes, reinterpret_cast<const unsigned char*>(kProtocols.data()),
                                      static_cast<unsigned>(kProtocols.size()), offered, offered_bytes);
  *chosen = found;
  return outcome == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL;
}

Status refuse(const std::string& what, const std::string& file) {
  return client_error(Code::InvalidArgument, what + " " + file + ": " + take_openssl_reason());
}

}  // namespace

std::string take_openssl_reason() {
  unsigned long error = ERR_peek_error();
  std::string reason = "unknown reason";
  if (error != 0 && ERR_SYSTEM_ERROR(error)) {
    char text[256];
    ERR_error_string_n(error, text, sizeof(text));
    reason = text;
  } else if (const char* known = ERR_reason_error_string(error); known != nullptr) {
    reason = known;
  }
  ERR_clear_error();
  return reason;
}

Result<std::shared_ptr<const TlsServer>> TlsServer::load(const TlsOptions& options) {
  ERR_clear_error();
  SSL_CTX* handle = SSL_CTX_new(TLS_server_method());
  if (handle == nullptr) {
    return proxy_error(Code::Internal, "OpenSSL: " + take_openssl_reason());
  }
  std::shared_ptr<TlsServer> server(new TlsServer(handle));
  Status status = server->apply(options);
  if (!status.ok()) {
    return status;
  }
  return std::shared_ptr<const TlsServer>(std::move(server));
}

TlsServer::~TlsServer() { SSL_CTX_free(handle_); }

Status TlsServer::apply(const TlsOptions& options) {
  SSL_CTX_set_min_proto_version(handle_, TLS1_2_VERSION);
  SSL_CTX_set_options(handle_, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_CIPHER_SERVER_PREFERENCE);
  SSL_CTX_set_mode(handle_, SSL_MODE_RELEASE_BUFFERS);
  SSL_CTX_set_cipher_list(handle_, kTls12Ciphers);
  SSL_CTX_set_alpn_select_cb(handle_, choose_protocol, nullptr);
  // Sessions resume by ticket; asked for client certificates, OpenSSL also wants to know whose sessions they are.
  SSL_CTX_set_session_cache_mode(handle_, SSL_SESS_CACHE_OFF);
  constexpr std::string_view kSessionOwner = "transom";
  SSL_CTX_set_session_id_context(handle_, reinterpret_cast<const unsigned char*>(kSessionOwner.data()),
                                 static_cast<unsigned>(kSessionOwner.size()));
  if (SSL_CTX_use_certificate_chain_file(handle_, options.certificate.c_str()) != 1) {
    return refuse("certificate", options.certificate);
  }
  if (SSL_CTX_use_PrivateKey_file(handle_, options.private_key.c_str(), SSL_FILETYPE_PEM) != 1 ||
      SSL_CTX_check_private_key(handle_) != 1) {
    return refuse("private key", options.private_key);
  }
  if (options.client_ca.empty()) {
    return {};
  }
  STACK_OF(X509_NAME)* names = SSL_load_client_CA_file(options.client_ca.c_str());
  if (names == nullptr || SSL_CTX_load_verify_locations(handle_, options.client_ca.c_str(), nullptr) != 1) {
    sk_X509_NAME_pop_free(names, X509_NAME_free);
    return refuse("client CA", options.client_ca);
  }
  SSL_CTX_set_client_CA_list(handle_, names);
  SSL_CTX_set_verify(handle_, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
  return {};
}

}  // namespace transom
