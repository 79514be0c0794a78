#include "net/address.h"

#include <arpa/inet.h>
#include <sys/un.h>

#include <charconv>
#include <string_view>

namespace transom {

namespace {

constexpr std::string_view kUnixPrefix = "unix:";
constexpr size_t kHostBytesMax = 253;

bool is_literal_of(int family, const std::string& text) {
  in6_addr parsed;  // large enough for both
  return inet_pton(family, text.c_str(), &parsed) == 1;
}

Status refuse(const std::string& text, const std::string& why) {
  return client_error(Code::InvalidArgument, "'" + text + "' is not an address: " + why);
}

bool is_host_name(std::string_view host) {
  for (char c : host) {
    bool ok =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
    if (!ok) {
      return false;
    }
  }
  return !host.empty() && host.size() <= kHostBytesMax && host.front() != '.' &&
         host.find("..") == std::string_view::npos;
}

Result<Address> parse_unix(const std::string& text) {
  Address address;
  address.kind = Address::Kind::Unix;
  address.path = text.substr(kUnixPrefix.size());
  if (address.path.empty()) {
    return refuse(text, "the path after unix: is empty");
  }
  if (address.path.size() >= sizeof(sockaddr_un::sun_path)) {
    return refuse(text, "the path is longer than " + std::to_string(sizeof(sockaddr_un::sun_path) - 1) + " bytes");
  }
  if (address.path.find('\0') != std::string::npos) {
    return refuse(text, "the path holds a NUL");
  }
  return address;
}

// An empty result: fine.
std::string what_is_wrong_with_host(const std::string& host, bool bracketed) {
  if (bracketed) {
    return is_literal_of(AF_INET6, host) ? "" : "what stands in brackets is no IPv6 address";
  }
  if (host.empty()) {
    return "the host is missing";
  }
  if (host.find(':') != std::string::npos) {
    return "an IPv6 address needs brackets, as in [::1]:80";
  }
  if (!is_host_name(host)) {
    return "the host is neither a name nor an IP address";
  }
  bool is_numeric = host.find_first_not_of("0123456789.") == std::string::npos;
  return is_numeric && !is_literal_of(AF_INET, host) ? "the host is no IPv4 address" : "";
}

bool parse_port(std::string_view text, uint16_t& port) {
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  return error == std::errc{} && end == text.data() + text.size() && text.size() <= 5;
}

}  // namespace

std::string Address::format() const {
  if (kind == Kind::Unix) {
    return std::string(kUnixPrefix) + path;
  }
  bool is_v6 = host.find(':') != std::string::npos;
  return (is_v6 ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

bool Address::is_literal() const {
  return kind == Kind::Tcp && (is_literal_of(AF_INET, host) || is_literal_of(AF_INET6, host));
}

Result<Address> parse_address(const std::string& text) {
  if (text.starts_with(kUnixPrefix)) {
    return parse_unix(text);
  }
  if (text.starts_with("fd:")) {
    return refuse(text, "inherited sockets are not supported yet");
  }
  size_t colon = text.rfind(':');
  size_t bracket = text.rfind(']');
  if (colon == std::string::npos || (bracket != std::string::npos && colon < bracket)) {
    return refuse(text, "the port is missing");
  }
  Address address;
  address.host = text.substr(0, colon);
  bool bracketed = address.host.size() >= 2 && address.host.front() == '[' && address.host.back() == ']';
  if (bracketed) {
    address.host = address.host.substr(1, address.host.size() - 2);
  }
  std::string wrong = what_is_wrong_with_host(address.host, bracketed);
  if (!wrong.empty()) {
    return refuse(text, wrong);
  }
  if (!parse_port(std::string_view(text).substr(colon + 1), address.port)) {
    return refuse(text, "the port is not a number from 0 to 65535");
  }
  return address;
}

}  // namespace transom
