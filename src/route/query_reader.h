// Reads a query string into Bindings of a route's request message. Stateless; one call per request that has a query.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "route/route_plan.h"
#include "route/router.h"

namespace transom {

// Appends to found.bindings, which holds those of the path. INVALID_ARGUMENT, the client's fault: a key that names no
// field, a field that cannot stand in a query, a singular field given twice, two members of one oneof, a bad escape.
Status read_query(std::string_view query, const RoutePlan& plan, const BindingOptions& options, Found& found);

// A key or value as read_query takes it, of text with valid escapes.
std::string decode_query_text(std::string_view raw, const BindingOptions& options);
// A key as it came, for people: what Binding::name and errors call it.
std::string shown_query_key(std::string_view raw);

}  // namespace transom
