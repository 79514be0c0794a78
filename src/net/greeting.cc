#include "net/greeting.h"

#include <utility>

#include "net/proxy_header.h"

namespace transom {

Greeting::Greeting(std::unique_ptr<SocketTransport> raw, const ListenerOptions& options, NetObserver* observer,
                   OnDone on_done)
    : options_(options),
      observer_(observer),
      on_done_(std::move(on_done)),
      raw_(std::move(raw)),
      header_bytes_(kProxyHeaderFixedBytes),
      time_over_(raw_->loop(), [this] { fail("timed out"); }) {
  time_over_.start(options.handshake_timeout);
  if (!options.proxy_protocol) {
    begin_tls();
    return;
  }
  raw_->set_handler(this);
  raw_->set_read_max(header_bytes_);
  raw_->resume_reading();
}

void Greeting::on_transport_bytes(std::string_view bytes) {
  header_ += bytes;
  if (header_.size() == header_bytes_) {
    on_header_bytes();
  } else {
    raw_->set_read_max(header_bytes_ - header_.size());
  }
}

void Greeting::on_header_bytes() {
  if (header_.size() == kProxyHeaderFixedBytes) {
    Result<size_t> bytes = proxy_header_bytes(header_);
    if (!bytes.ok()) {
      fail(bytes.status().message);
      return;
    }
    if (*bytes > options_.proxy_header_bytes) {
      fail("the PROXY protocol header is longer than " + std::to_string(options_.proxy_header_bytes) + " bytes");
      return;
    }
    header_bytes_ = *bytes;
  }
  if (header_.size() == header_bytes_) {
    on_header_end();
  } else {
    raw_->set_read_max(header_bytes_ - header_.size());
  }
}

void Greeting::on_header_end() {
  Result<ProxyHeader> header = parse_proxy_header(header_);
  if (!header.ok()) {
    fail(header.status().message);
    return;
  }
  if (!header->source.empty()) {
    raw_->set_peer(header->source);
  }
  raw_->pause_reading();
  raw_->set_read_max(LoopBuffers::kBytes);
  if (options_.tls != nullptr) {
    begin_tls();
  } else {
    raw_->set_handler(nullptr);
    finish(std::move(raw_));
  }
}

void Greeting::begin_tls() {
  tls_ = std::make_unique<TlsTransport>(std::move(raw_), options_.tls);
  tls_->handshake([this](const Status& status) {
    if (status.ok()) {
      finish(std::move(tls_));
    } else {
      fail(status.message);
    }
  });
}

void Greeting::on_transport_eof() { fail("the client closed before its PROXY protocol header was whole"); }

void Greeting::on_transport_error(const Status& status) { fail(status.message); }

void Greeting::fail(const std::string& reason) {
  if (observer_ != nullptr && tls_ != nullptr) {
    observer_->on_tls_failed(tls_->peer(), reason);
  } else if (observer_ != nullptr) {
    observer_->on_proxy_header_failed(raw_->peer(), reason);
  }
  finish(nullptr);
}

// Last thing done: on_done buries this.
void Greeting::finish(std::unique_ptr<Transport> transport) {
  time_over_.stop();
  OnDone on_done = std::move(on_done_);
  on_done(*this, std::move(transport));
}

}  // namespace transom
