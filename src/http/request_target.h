// What the target and the authority of a request may look like (RFC 9112 section 3.2, RFC 9113 section 8.3.1), the same
// for both versions of HTTP. Pure.
#pragma once

#include <optional>
#include <string_view>

namespace transom {

// Each says what is wrong, or nothing ("") when the text is fine.

// Origin form: begins with '/', printable ASCII, no fragment.
std::string_view check_path(std::string_view path);
// host [ ":" port ]: a name, an IPv4 address or a bracketed IPv6 address; never empty, no user information.
std::string_view check_authority(std::string_view authority);

struct AbsoluteTarget {
  std::string_view scheme;
  std::string_view authority;
  std::string_view rest;  // path and query; may be empty, or begin with '?'
};
// Nothing when the target is not in absolute form.
std::optional<AbsoluteTarget> split_absolute(std::string_view target);

}  // namespace transom
