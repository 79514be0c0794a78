#include "proxy/web_socket_origin.h"

#include <string_view>

namespace transom {
namespace {

constexpr std::string_view kSchemeEnd = "://";

std::string_view without_port(std::string_view authority, std::string_view port) {
  return authority.ends_with(port) ? authority.substr(0, authority.size() - port.size()) : authority;
}

// By host and port. What terminates TLS in front of us hides the scheme, so that is not compared.
bool is_same_host(std::string_view origin, std::string_view authority) {
  const size_t end = origin.find(kSchemeEnd);
  if (end == std::string_view::npos) {
    return false;  // "null"
  }
  const std::string_view port = origin.substr(0, end) == "https" ? ":443" : ":80";
  return equal_ignoring_case(without_port(origin.substr(end + kSchemeEnd.size()), port),
                             without_port(authority, port));
}

}  // namespace

bool may_open_web_socket(const RequestHead& head, const Cors* cors) {
  for (const Field field : head.fields) {
    if (field.name == "origin" && !is_same_host(field.value, head.authority) &&
        (cors == nullptr || !cors->allows(field.value))) {
      return false;
    }
  }
  return true;
}

}  // namespace transom
