// The two ends of a transport, for the tests of this folder: each writes down what it hears.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "net/connector.h"
#include "net/listener.h"
#include "support/loop_runner.h"

namespace transom {

class PipeEnd final : public TransportHandler {
 public:
  void take(std::unique_ptr<Transport> given, bool reads = true) {
    transport = std::move(given);
    transport->set_handler(this);
    if (reads) {
      transport->resume_reading();
    }
  }
  bool is_open() const { return transport != nullptr; }

  void on_transport_bytes(std::string_view bytes) override {
    received += bytes;
    largest_read = std::max(largest_read, bytes.size());
    if (on_bytes) {
      on_bytes();
    }
  }
  void on_transport_eof() override { ++eofs; }
  void on_transport_ending() override { ++endings; }
  void on_transport_drained() override {
    EXPECT_EQ(transport->queued(), 0U);
    ++drains;
  }
  void on_transport_error(const Status& status) override {
    ++errors;
    error = status;
  }

  std::unique_ptr<Transport> transport;
  std::function<void()> on_bytes;
  std::string received;
  size_t largest_read = 0;
  int eofs = 0;
  int endings = 0;
  int drains = 0;
  int errors = 0;
  Status error;
};

inline std::string unix_socket_path(const std::string& name) {
  return testing::TempDir() + "transom-" + std::to_string(getpid()) + "-" + name + ".sock";
}

// A listener on that address and one transport through it. Both ends read unless told otherwise.
struct PipePair {
  PipePair(Loop& loop, const std::string& address, bool reads = true) {
    ListenerOptions options;
    options.address = parse_address(address).value();
    auto opened =
        Listener::open(loop, options, -1, nullptr, [this, reads](auto t) { server.take(std::move(t), reads); });
    EXPECT_TRUE(opened.ok()) << opened.status().message;
    listener = std::move(*opened);
    auto connector = Connector::make(loop);
    connector->connect(listener->address(), std::chrono::seconds(5), [this, reads](auto result) {
      ASSERT_TRUE(result.ok()) << result.status().message;
      client.take(std::move(*result), reads);
    });
    EXPECT_TRUE(run_until(loop, [this] { return server.is_open() && client.is_open(); }));
  }

  std::unique_ptr<Listener> listener;
  PipeEnd server;
  PipeEnd client;
};

}  // namespace transom
