// A small server over src/http for hand-run checks and benchmarks: h2spec, h2load, curl, fuzzers. It prints its port.
// Arguments: the port (0: any), then certificate and key files for TLS.
// /canned answers at once with the same few bytes; /big?N sends N MiB; anything else echoes method, target and body.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

#include "http/session.h"
#include "net/listener.h"
#include "net/tls.h"

namespace transom {
namespace {

constexpr size_t kPieceBytes = 32 * kKiB;

ErrorBody error_body(const Status& status) {
  return {"{\"code\":" + std::to_string(static_cast<int>(status.code)) + ",\"message\":\"" + status.message +
         "\",\"details\":[]}"};
}

class CannedHandler final : public ExchangeHandler {
 public:
  explicit CannedHandler(Exchange& exchange) : exchange_(exchange) {}
  void on_request_bytes(std::string_view bytes) override { exchange_.consume(bytes.size()); }
  void on_request_end(const Fields&) override {
    ResponseHead head;
    head.fields.add("content-type", "application/json");
    exchange_.send_head(head);
    exchange_.send("{\"outputs\":[0.1,0.2,0.7]}");
    exchange_.finish(Fields{});
  }
  void on_send_ready() override {}
  std::string request_id() const override { return {}; }
  void on_exchange_end(const Status&) override {}

 private:
  Exchange& exchange_;
};

class EchoHandler final : public ExchangeHandler {
 public:
  explicit EchoHandler(Exchange& exchange) : exchange_(exchange) {
    if (exchange.head().target.starts_with("/big?")) {
      left_ = std::strtoull(exchange.head().target.c_str() + std::strlen("/big?"), nullptr, 10) * kMiB;
      is_big_ = true;
    }
  }
  void on_request_bytes(std::string_view bytes) override {
    exchange_.consume(bytes.size());
    if (!is_big_) {
      begin();
      exchange_.send(std::string(bytes));
    }
  }
  void on_request_end(const Fields&) override {
    begin();
    if (is_big_) {
      fill();
    } else {
      exchange_.send(exchange_.head().method + " " + exchange_.head().target + "\n");
      exchange_.finish(Fields{});
    }
  }
  void on_send_ready() override {
    if (is_big_) {
      fill();
    }
  }
  std::string request_id() const override { return {}; }
  void on_exchange_end(const Status&) override {}

 private:
  void begin() {
    if (!has_begun_) {
      has_begun_ = true;
      ResponseHead head;
      head.fields.add("content-type", "text/plain");
      exchange_.send_head(head);
    }
  }
  void fill() {
    while (left_ > 0) {
      size_t piece = left_ < kPieceBytes ? left_ : kPieceBytes;
      left_ -= piece;
      if (exchange_.send(std::string(piece, 'x')) > 2 * kPieceBytes) {
        break;
      }
    }
    if (left_ == 0) {
      is_big_ = false;
      exchange_.finish(Fields{});
    }
  }

  Exchange& exchange_;
  size_t left_ = 0;
  bool is_big_ = false;
  bool has_begun_ = false;
};

class EchoAcceptor final : public ExchangeAcceptor {
 public:
  std::unique_ptr<ExchangeHandler> on_exchange(Exchange& exchange) override {
    if (exchange.head().target == "/canned") {
      return std::make_unique<CannedHandler>(exchange);
    }
    return std::make_unique<EchoHandler>(exchange);
  }
};

int run(uint16_t port, const TlsOptions* tls) {
  Loop loop;
  MemoryAccount account(kMiB * 1024);
  EchoAcceptor acceptor;
  SessionOptions options;
  options.account = &account;
  options.error_body = error_body;
  auto sessions = SessionSet::make(loop, options, acceptor);
  ListenerOptions listening;
  listening.address.host = "127.0.0.1";
  listening.address.port = port;
  if (tls != nullptr) {
    auto loaded = TlsServer::load(*tls);
    if (!loaded.ok()) {
      std::fprintf(stderr, "%s\n", loaded.status().message.c_str());
      return 1;
    }
    listening.tls = *loaded;
  }
  auto listener = Listener::open(loop, listening, -1, nullptr,
                                 [&](std::unique_ptr<Transport> transport) { sessions->add(std::move(transport)); });
  if (!listener.ok()) {
    std::fprintf(stderr, "%s\n", listener.status().message.c_str());
    return 1;
  }
  std::printf("%u\n", static_cast<unsigned>((*listener)->address().port));
  std::fflush(stdout);
  loop.run();
  return 0;
}

}  // namespace
}  // namespace transom

int main(int argc, char** argv) {
  uint16_t port = argc > 1 ? static_cast<uint16_t>(std::atoi(argv[1])) : 0;
  transom::TlsOptions tls;
  if (argc > 3) {
    tls.certificate = argv[2];
    tls.private_key = argv[3];
  }
  return transom::run(port, argc > 3 ? &tls : nullptr);
}
