// What `transom check` and `transom routes` print of a configuration that can be served.
#pragma once

#include <string>

#include "route/router.h"
#include "server/blueprint.h"

namespace transom {

std::string summary_of(Blueprint& blueprint);
// "POST /v1/models/{model_name}:predict -> bench.v1.Predictor/Predict iris", without a line's end.
std::string route_line(const Route& route);
// One line per route.
std::string route_lines(const Router& router);

}  // namespace transom
