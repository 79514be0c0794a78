// Small readings of ASCII text that fields and configuration share. Free functions, any thread; views are of their input.
#pragma once

#include <string>
#include <string_view>

namespace transom {

// Without the blanks and tabs around it (OWS of RFC 9110 section 5.6.3).
std::string_view trim(std::string_view text);

// A to Z as a to z.
std::string lower_case(std::string_view text);

// RFC 9110 section 5.6.2.
bool is_token(std::string_view text);

// Calls visit with the trimmed members of a comma-separated list, empty ones left out (RFC 9110 section 5.6.1).
template <class Visit>
void each_list_member(std::string_view list, Visit visit) {
  while (!list.empty()) {
    const size_t comma = list.find(',');
    const std::string_view member = trim(list.substr(0, comma));
    list.remove_prefix(comma == std::string_view::npos ? list.size() : comma + 1);
    if (!member.empty()) {
      visit(member);
    }
  }
}

}  // namespace transom
