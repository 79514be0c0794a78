// A TransportHandler that writes down what it hears, for the tests of this folder.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "net/transport.h"

namespace transom {

class PipeEnd final : public TransportHandler {
 public:
  void take(std::unique_ptr<Transport> given) {
    transport = std::move(given);
    transport->set_handler(this);
    transport->resume_reading();
  }
  bool is_open() const { return transport != nullptr; }

  void on_transport_bytes(std::string_view bytes) override {
    received += bytes;
    ++reads;
    largest_read = std::max(largest_read, bytes.size());
  }
  void on_transport_eof() override { ++eofs; }
  void on_transport_drained() override { ++drains; }
  void on_transport_error(const Status& status) override {
    ++errors;
    error = status;
  }

  std::unique_ptr<Transport> transport;
  std::string received;
  size_t largest_read = 0;
  int reads = 0;
  int eofs = 0;
  int drains = 0;
  int errors = 0;
  Status error;
};

}  // namespace transom
