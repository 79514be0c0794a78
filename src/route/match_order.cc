#include "route/match_order.h"

#include <algorithm>
#include <tuple>

#include "base/text.h"

namespace transom {
namespace {

template <class List>
void sort_and_unite(List& list) {
  std::ranges::sort(list);
  auto repeats = std::ranges::unique(list);
  list.erase(repeats.begin(), repeats.end());
}

Status refused(std::string message) { return proxy_error(Code::InvalidArgument, std::move(message)); }

bool is_host_pattern(std::string_view host) {
  const std::string_view plain = host.starts_with("*.") ? host.substr(2) : host;
  return !plain.empty() && plain.find_first_of("*/ ") == std::string_view::npos;
}

bool is_suffix(const std::string& host) { return host.starts_with("*."); }

// The port goes, the brackets of an IPv6 address stay.
std::string_view without_port(std::string_view host) {
  const size_t colon = host.rfind(':');
  const size_t bracket = host.rfind(']');
  const bool has_port = colon != std::string_view::npos && (bracket == std::string_view::npos || bracket < colon);
  return has_port ? host.substr(0, colon) : host;
}

bool fits_host(std::string_view pattern, std::string_view host) {
  if (!pattern.starts_with("*.")) {
    return equal_ignoring_case(pattern, host);
  }
  pattern.remove_prefix(1);
  return host.size() > pattern.size() && equal_ignoring_case(pattern, host.substr(host.size() - pattern.size()));
}

bool has_field(const Fields& fields, std::string_view name, std::string_view value) {
  for (const Field field : fields) {
    if (field.name == name && field.value == value) {
      return true;
    }
  }
  return false;
}

auto rank(const RouteMatch& match) {
  const bool has_suffix = std::ranges::any_of(match.hosts, is_suffix);
  return std::tuple(match.path_prefix.size(), !match.hosts.empty(), !has_suffix, match.headers.size());
}

}  // namespace

Result<RouteMatch> normalize_match(RouteMatch match) {
  for (std::string& host : match.hosts) {
    host = lower_case(host);
    if (!is_host_pattern(host)) {
      return refused("match.hosts: \"" + host + "\" is neither a host nor *.suffix");
    }
  }
  for (auto& [name, value] : match.headers) {
    name = lower_case(name);
  }
  sort_and_unite(match.hosts);
  sort_and_unite(match.headers);
  while (match.path_prefix.ends_with('/')) {
    match.path_prefix.pop_back();
  }
  if (!match.path_prefix.empty() && !match.path_prefix.starts_with('/')) {
    return refused("match.path_prefix: \"" + match.path_prefix + "\" does not begin with /");
  }
  if (match.path_prefix.find_first_of("?#{}* ") != std::string::npos) {
    return refused("match.path_prefix: \"" + match.path_prefix + "\" is a plain text, without variables and wildcards");
  }
  return match;
}

bool is_tried_before(const RouteMatch& a, const RouteMatch& b) { return rank(a) > rank(b); }

bool does_host_match(const RouteMatch& match, std::string_view host) {
  const std::string_view name = without_port(host);
  const auto fits = [name](const std::string& pattern) { return fits_host(pattern, name); };
  return match.hosts.empty() || std::ranges::any_of(match.hosts, fits);
}

bool do_headers_match(const RouteMatch& match, const Fields& fields) {
  return std::ranges::all_of(match.headers,
                             [&fields](const auto& header) { return has_field(fields, header.first, header.second); });
}

std::optional<std::string_view> strip_prefix(std::string_view path, std::string_view prefix) {
  if (!path.starts_with(prefix)) {
    return std::nullopt;
  }
  const std::string_view rest = path.substr(prefix.size());
  if (rest.empty()) {
    return "/";
  }
  return rest.front() == '/' ? std::optional(rest) : std::nullopt;
}

}  // namespace transom
