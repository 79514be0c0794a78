// ReplyReader takes the messages out of a replica's bytes and says how each is compressed. A part of the protocols that
// transcode answers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/fields.h"
#include "base/status.h"
#include "compress/gzip.h"
#include "protocol/conversion.h"
#include "protocol/grpc_frame.h"

namespace transom {

class ReplyReader {
 public:
  explicit ReplyReader(size_t message_bytes_max) : deframer_(message_bytes_max) {}

  void on_head(const Fields& fields);
  // INTERNAL: broken framing, a message over the bound.
  Status on_bytes(std::string_view bytes) { return deframer_.add(bytes); }
  // True when a message was there. INTERNAL: it is compressed in a way that the head did not name, or that we do not have.
  Result<bool> next(std::string& message, Coding& coding);
  // The same as a Conversion: what make(message, coding) makes of it, or one that fails; nothing while there is none.
  template <class Make>
  std::optional<Conversion> next_conversion(Make make) {
    std::string message;
    Coding coding = Coding::Identity;
    Result<bool> found = next(message, coding);
    if (!found.ok()) {
      return Conversion::failure(found.status());
    }
    return *found ? std::optional<Conversion>(make(std::move(message), coding)) : std::nullopt;
  }
  // INTERNAL: the bytes have ended inside a message.
  Status check_end() const;

  uint64_t begun() const { return deframer_.begun(); }
  bool is_inside_message() const { return deframer_.is_inside_message(); }
  size_t held_bytes() const { return deframer_.held_bytes(); }

 private:
  GrpcDeframer deframer_;
  std::string encoding_;
};

}  // namespace transom
