#include "proxy/client_address.h"

#include <algorithm>
#include <vector>

#include "base/text.h"

namespace transom {
namespace {

constexpr size_t kAddressBytesMax = 45;  // INET6_ADDRSTRLEN less its end

bool is_address_character(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F') || c == '.' || c == ':';
}

bool looks_like_address(std::string_view text) {
  return !text.empty() && text.size() <= kAddressBytesMax && text.find_first_of(".:") != std::string_view::npos &&
         std::all_of(text.begin(), text.end(), is_address_character);
}

// The entry that stands `from_right` places from the end of the list, 1 being the last; "" when there are fewer.
std::string_view forwarded_entry(const Fields& fields, size_t from_right) {
  for (size_t i = fields.size(); i > 0; --i) {
    const Field field = fields[i - 1];
    if (field.name != "x-forwarded-for") {
      continue;
    }
    std::string_view rest = field.value;
    for (;;) {
      const size_t comma = rest.rfind(',');
      const std::string_view entry = comma == std::string_view::npos ? rest : rest.substr(comma + 1);
      if (--from_right == 0) {
        return trim(entry);
      }
      if (comma == std::string_view::npos) {
        break;
      }
      rest = rest.substr(0, comma);
    }
  }
  return {};
}

}  // namespace

std::string_view address_of_peer(std::string_view text) {
  if (!text.empty() && text.front() == '[') {
    return text.substr(1, text.find(']') - 1);
  }
  const size_t colon = text.find(':');
  const bool is_v6 = colon != std::string_view::npos && text.find(':', colon + 1) != std::string_view::npos;
  return is_v6 ? text : text.substr(0, colon);
}

std::string_view client_address(const RequestHead& head, size_t trusted_hops) {
  if (trusted_hops > 0) {
    const std::string_view entry = address_of_peer(forwarded_entry(head.fields, trusted_hops));
    if (looks_like_address(entry)) {
      return entry;
    }
  }
  return address_of_peer(head.peer);
}

}  // namespace transom
