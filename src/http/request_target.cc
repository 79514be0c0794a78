#include "http/request_target.h"

#include <algorithm>

namespace transom {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

// reg-name without percent-encoding (RFC 3986 section 3.2.2): no host that we could serve needs it, and an encoded '@'
// or '/' has fooled others.
bool is_host_char(char c) {
  return is_digit(c) || is_letter(c) || std::string_view("-._~!$&'()*+;=").find(c) != std::string_view::npos;
}

bool is_port(std::string_view port) { return port.size() <= 5 && std::all_of(port.begin(), port.end(), is_digit); }

}  // namespace

std::string_view check_path(std::string_view path) {
  if (path.empty() || path.front() != '/') {
    return "the request target does not begin with /";
  }
  for (char c : path) {
    if (c <= ' ' || c == 0x7f) {  // char is signed here: 0x80 and above are below ' '
      return "a byte that may not stand in a request target";
    }
    if (c == '#') {
      return "a fragment in the request target";
    }
  }
  return {};
}

std::string_view check_authority(std::string_view authority) {
  if (authority.empty()) {
    return "an empty host";
  }
  if (authority.find('@') != std::string_view::npos) {
    return "user information in the host";
  }
  size_t host_end = 0;
  if (authority.front() == '[') {
    host_end = authority.find(']');
    if (host_end == std::string_view::npos || host_end == 1) {
      return "a malformed IPv6 host";
    }
    std::string_view literal = authority.substr(1, host_end - 1);
    if (!std::all_of(literal.begin(), literal.end(), [](char c) { return is_hex(c) || c == ':' || c == '.'; })) {
      return "a malformed IPv6 host";
    }
    ++host_end;
  } else {
    host_end = std::min(authority.find(':'), authority.size());
    std::string_view name = authority.substr(0, host_end);
    if (name.empty() || !std::all_of(name.begin(), name.end(), is_host_char)) {
      return "a malformed host";
    }
  }
  std::string_view port = authority.substr(host_end);
  if (!port.empty() && (port.front() != ':' || !is_port(port.substr(1)))) {
    return "a malformed port in the host";
  }
  return {};
}

std::optional<AbsoluteTarget> split_absolute(std::string_view target) {
  size_t colon = target.find("://");
  if (colon == std::string_view::npos || colon == 0 || !is_letter(target.front())) {
    return std::nullopt;
  }
  AbsoluteTarget split;
  split.scheme = target.substr(0, colon);
  if (!std::all_of(split.scheme.begin(), split.scheme.end(),
                   [](char c) { return is_letter(c) || is_digit(c) || c == '+' || c == '-' || c == '.'; })) {
    return std::nullopt;
  }
  std::string_view after = target.substr(colon + 3);
  size_t end = std::min(after.find_first_of("/?#"), after.size());
  split.authority = after.substr(0, end);
  split.rest = after.substr(end);
  return split;
}

}  // namespace transom
