#include "net/tls_transport.h"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/check.h"

namespace transom {

namespace {

constexpr size_t kSliceBytes = 256 * 1024;
// A peer that asks for key updates and reads no answers gets no more than this queued.
constexpr size_t kUnaskedBytesMax = 64 * 1024;

}  // namespace

// OpenSSL's way in and out: reads from input_, writes to the loop's buffer of records.
struct TlsPort {
  static TlsTransport& of(BIO* bio) { return *static_cast<TlsTransport*>(BIO_get_data(bio)); }

  static int read(BIO* bio, char* target, int bytes) {
    BIO_clear_retry_flags(bio);
    std::string_view& input = of(bio).input_;
    if (input.empty()) {
      BIO_set_retry_read(bio);
      return -1;
    }
    size_t taken = std::min(input.size(), static_cast<size_t>(bytes));
    std::memcpy(target, input.data(), taken);
    input.remove_prefix(taken);
    return static_cast<int>(taken);
  }

  static int write(BIO* bio, const char* bytes, int count) {
    BIO_clear_retry_flags(bio);
    of(bio).raw_->loop().buffers().cipher.append(bytes, static_cast<size_t>(count));
    return count;
  }

  static long control(BIO*, int command, long, void*) { return command == BIO_CTRL_FLUSH ? 1 : 0; }

  static BIO_METHOD* make_method() {
    BIO_METHOD* method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "transom");
    check(method != nullptr, "OpenSSL makes no BIO");
    BIO_meth_set_read(method, read);
    BIO_meth_set_write(method, write);
    BIO_meth_set_ctrl(method, control);
    return method;
  }

  static BIO* make(TlsTransport* transport) {
    static BIO_METHOD* const method = make_method();
    BIO* bio = BIO_new(method);
    check(bio != nullptr, "OpenSSL makes no BIO");
    BIO_set_data(bio, transport);
    BIO_set_init(bio, 1);
    return bio;
  }
};

TlsTransport::TlsTransport(std::unique_ptr<SocketTransport> raw, std::shared_ptr<const TlsServer> server)
    : raw_(std::move(raw)),
      server_(std::move(server)),
      ssl_(SSL_new(server_->handle())),
      unstash_(raw_->loop(), [this] {
        input_ = stash_;
        read_plain();
      }) {
  check(ssl_ != nullptr, "OpenSSL makes no session");
  BIO* bio = TlsPort::make(this);
  SSL_set_bio(ssl_, bio, bio);
  SSL_set_accept_state(ssl_);
}

TlsTransport::~TlsTransport() { SSL_free(ssl_); }

void TlsTransport::handshake(OnHandshake on_done) {
  on_handshake_ = std::move(on_done);
  raw_->set_handler(this);
  raw_->resume_reading();
}

void TlsTransport::go_on_handshaking() {
  ERR_clear_error();
  int outcome = SSL_do_handshake(ssl_);
  int error = SSL_get_error(ssl_, outcome);
  send_records();
  if (outcome == 1) {
    const unsigned char* protocol = nullptr;
    unsigned int bytes = 0;
    SSL_get0_alpn_selected(ssl_, &protocol, &bytes);
    alpn_.assign(reinterpret_cast<const char*>(protocol), bytes);
    stash_ = input_;
    input_ = {};
    is_open_ = true;
    end_handshake({});
  } else if (error != SSL_ERROR_WANT_READ) {
    end_handshake({Code::Unavailable, Fault::Client, 0, take_openssl_reason(), ""});
  }
}

// Last thing done: on_handshake_ may destroy this.
void TlsTransport::end_handshake(const Status& status) {
  raw_->pause_reading();
  has_failed_ = !status.ok();
  OnHandshake on_done = std::move(on_handshake_);
  on_done(status);
}

void TlsTransport::on_transport_bytes(std::string_view bytes) {
  input_ = bytes;
  if (is_open_) {
    read_plain();
  } else if (!has_failed_) {
    go_on_handshaking();
  }
}

void TlsTransport::on_transport_eof() {
  if (!is_open_) {
    if (!has_failed_) {
      end_handshake({Code::Unavailable, Fault::Client, 0, "the client closed during the handshake", ""});
    }
  } else if (!has_eof_ && !has_failed_ && handler_ != nullptr) {
    has_eof_ = true;
    handler_->on_transport_eof();
  }
}

void TlsTransport::on_transport_drained() {
  unasked_bytes_ = 0;
  if (is_open_ && handler_ != nullptr && !has_failed_) {
    handler_->on_transport_drained();
  }
}

void TlsTransport::on_transport_error(const Status& status) {
  if (has_failed_) {
    return;
  }
  if (!is_open_) {
    end_handshake(status);
    return;
  }
  has_failed_ = true;
  if (handler_ != nullptr) {
    handler_->on_transport_error(status);
  }
}

bool TlsTransport::has_stash() const {
  return !stash_.empty() || SSL_pending(ssl_) > 0 || !failure_.empty() || has_unread_end();
}

void TlsTransport::resume_reading() {
  is_reading_ = true;
  if (has_failed_ || has_eof_) {
    return;
  }
  if (has_stash()) {
    unstash_.start({});
  } else {
    raw_->resume_reading();
  }
}

void TlsTransport::pause_reading() {
  is_reading_ = false;
  if (failure_.empty() && !is_ending_) {
    unstash_.stop();
  }
  raw_->pause_reading();
}

void TlsTransport::set_handler(TransportHandler* handler) {
  handler_ = handler;
  watches_end_ = false;
}

void TlsTransport::watch_end() {
  watches_end_ = true;
  raw_->watch_end();
}

void TlsTransport::on_transport_ending() {
  is_ending_ = true;
  tell_ending();
}

// While what came before is still being given on, the reader may yet pause.
void TlsTransport::tell_ending() {
  if (is_ending_ && watches_end_ && !is_reading_ && !has_eof_ && !has_failed_ && handler_ != nullptr) {
    is_ending_ = false;
    handler_->on_transport_ending();
  }
}

void TlsTransport::read_plain() {
  const bool& is_gone = raw_->is_gone();  // a callback may destroy this
  LoopBuffers& buffers = raw_->loop().buffers();
  bool goes_on = true;
  while (goes_on && is_reading_ && handler_ != nullptr) {
    size_t got = decrypt(buffers.plain, sizeof(buffers.plain));
    goes_on = got == sizeof(buffers.plain);
    send_records();
    if (got > 0) {
      handler_->on_transport_bytes({buffers.plain, got});
      if (is_gone) {
        return;
      }
    }
  }
  stash_ = std::string(input_);
  input_ = {};
  if (!failure_.empty()) {
    fail(failure_);
  } else if (is_reading_ && has_unread_end()) {
    has_eof_ = true;
    raw_->pause_reading();
    handler_->on_transport_eof();
  } else if (is_reading_) {
    raw_->resume_reading();
  } else {
    tell_ending();
  }
}

bool TlsTransport::has_unread_end() const {
  return (SSL_get_shutdown(ssl_) & SSL_RECEIVED_SHUTDOWN) != 0 && !has_eof_ && SSL_pending(ssl_) == 0;
}

// Fewer bytes than asked for: nothing more is at hand, or the peer has ended, or failure_ says what is wrong.
size_t TlsTransport::decrypt(char* target, size_t bytes) {
  size_t total = 0;
  while (total < bytes) {
    ERR_clear_error();
    size_t got = 0;
    if (SSL_read_ex(ssl_, target + total, bytes - total, &got) != 1) {
      int error = SSL_get_error(ssl_, 0);
      if (error != SSL_ERROR_WANT_READ && error != SSL_ERROR_ZERO_RETURN) {
        failure_ = take_openssl_reason();
      }
      break;
    }
    total += got;
  }
  return total;
}

void TlsTransport::write(std::string_view bytes) {
  if (has_failed_ || has_ended_) {
    return;
  }
  while (!bytes.empty() && failure_.empty()) {
    std::string_view slice = bytes.substr(0, kSliceBytes);
    bytes.remove_prefix(slice.size());
    ERR_clear_error();
    size_t written = 0;
    if (SSL_write_ex(ssl_, slice.data(), slice.size(), &written) != 1) {
      failure_ = take_openssl_reason();
      unstash_.start({});  // tells it, outside this call
      return;
    }
    std::string& cipher = raw_->loop().buffers().cipher;
    raw_->write(cipher);
    cipher.clear();
  }
}

void TlsTransport::send_records() {
  std::string& cipher = raw_->loop().buffers().cipher;
  if (cipher.empty()) {
    return;
  }
  raw_->write(cipher);
  unasked_bytes_ += raw_->queued() == 0 ? 0 : cipher.size();
  cipher.clear();
  if (unasked_bytes_ > kUnaskedBytesMax) {
    failure_ = "the peer reads no answers";
  }
}

void TlsTransport::shutdown() {
  if (has_failed_ || has_ended_) {
    return;
  }
  has_ended_ = true;
  ERR_clear_error();
  SSL_shutdown(ssl_);
  send_records();
  raw_->shutdown();
}

// Last thing done: the handler may destroy this.
void TlsTransport::fail(const std::string& reason) {
  has_failed_ = true;
  raw_->pause_reading();
  if (handler_ == nullptr) {
    return;
  }
  handler_->on_transport_error({Code::Unavailable, Fault::None, 0, peer() + ": TLS: " + reason, ""});
}

}  // namespace transom
