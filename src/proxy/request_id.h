// Request ids: the client's own where it is fit to be sent on and logged, else one of ours.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/fields.h"

namespace transom {

// 1 to 128 of [A-Za-z0-9._~-].
bool is_request_id(std::string_view text);

// Makes ids of 32 hexadecimal digits, unlikely ever to meet again. One per worker; seeded by the system.
class RequestIds {
 public:
  RequestIds();
  std::string next();
  // The client's own x-request-id if it is fit, else a new one.
  std::string choose(const Fields& fields);

 private:
  uint64_t draw();
  std::array<uint64_t, 4> state_;
};

}  // namespace transom
