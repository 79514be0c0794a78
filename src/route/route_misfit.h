// Why a route does not take a request: for people who ask (`transom explain`), never on a request's way. It looks at one
// route alone, as the Router would. Pure, any thread.
#pragma once

#include <string>

#include "route/route.h"
#include "route/router.h"

namespace transom {

// "segment 2 is `modelz`, not `models`", "it answers POST, not GET"; "" when the route would take it if no other did.
std::string misfit_of(const Route& route, const RouteRequest& request, const BindingOptions& options);

}  // namespace transom
