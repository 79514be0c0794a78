// What a configured route's `match` asks of a request, and which of two such matches is tried first.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/fields.h"
#include "base/status.h"
#include "route/route.h"

namespace transom {

// Brings it to one form (lower case, sorted, no slash at the prefix's end), so that equal matches compare equal.
Result<RouteMatch> normalize_match(RouteMatch match);

// By the order of trial: the longer prefix, then hosts given, exact hosts before suffixes, then more headers.
bool is_tried_before(const RouteMatch& a, const RouteMatch& b);

bool does_host_match(const RouteMatch& match, std::string_view host);
bool do_headers_match(const RouteMatch& match, const Fields& fields);

// The path without the prefix ("/" when nothing is left); nothing when the prefix is not there as whole segments.
std::optional<std::string_view> strip_prefix(std::string_view path, std::string_view prefix);

}  // namespace transom
