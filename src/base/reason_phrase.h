// The reason phrase of an HTTP status (RFC 9110 section 15), "" for an unknown one. Pure.
#pragma once

#include <cstdint>
#include <string_view>

namespace transom {

std::string_view reason_phrase(uint16_t status);

}  // namespace transom
