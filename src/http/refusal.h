// A Refusal is why the session itself answers a request with an error: an HTTP status and a sentence. No status means
// that nothing is wrong. Reasons are literals, so a Refusal is a plain value.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"

namespace transom {

struct Refusal {
  uint16_t http_status = 0;
  std::string_view reason;

  explicit operator bool() const { return http_status != 0; }
};

// The canonical code that the error's body carries beside that HTTP status.
inline Code code_of_refusal(uint16_t http_status) {
  switch (http_status) {
    case 408:
      return Code::DeadlineExceeded;
    case 413:
    case 431:
      return Code::ResourceExhausted;
    case 500:
      return Code::Internal;
    case 501:
      return Code::Unimplemented;
    case 503:
      return Code::Unavailable;
    default:
      return Code::InvalidArgument;
  }
}

inline Status status_of(const Refusal& refusal) {
  return client_error(code_of_refusal(refusal.http_status), std::string(refusal.reason), refusal.http_status);
}

}  // namespace transom
