#include "http/protocol_guess.h"

#include <algorithm>

namespace transom {
namespace {

constexpr std::string_view kPreface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

}  // namespace

ProtocolGuess guess_protocol(std::string_view first_bytes) {
  size_t both = std::min(first_bytes.size(), kPreface.size());
  if (first_bytes.substr(0, both) != kPreface.substr(0, both)) {
    return ProtocolGuess::Http1;
  }
  return both == kPreface.size() ? ProtocolGuess::Http2 : ProtocolGuess::Unknown;
}

bool is_not_http(std::string_view first_bytes) {
  std::string_view line = first_bytes.substr(0, first_bytes.find_first_of("\r\n"));
  size_t first = line.find(' ');
  size_t last = line.rfind(' ');
  if (first == std::string_view::npos || first == last) {
    return false;
  }
  std::string_view target = line.substr(first + 1, last - first - 1);
  bool may_be_target = target.starts_with("/") || target == "*" || target.find("://") != std::string_view::npos;
  return !may_be_target && target.find(' ') == std::string_view::npos && !line.substr(last + 1).starts_with("HTTP");
}

}  // namespace transom
