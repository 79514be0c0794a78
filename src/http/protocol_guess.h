// Which protocol the first bytes of a session speak, where ALPN has not said (RFC 9113 section 3.3). Pure.
#pragma once

#include <cstdint>
#include <string_view>

namespace transom {

enum class ProtocolGuess : uint8_t {
  Unknown,  // more bytes are needed
  Http1,
  Http2,  // the whole preface is there
};

ProtocolGuess guess_protocol(std::string_view first_bytes);

// The first line is not even an attempt at HTTP: three words of which neither the second could be a target nor the
// third a version. Such a peer gets no answer that it would take for something else.
bool is_not_http(std::string_view first_bytes);

}  // namespace transom
