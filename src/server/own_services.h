// Which of the services that the proxy answers itself a configuration lets in, and their routes.
#pragma once

#include <vector>

#include "route/router.h"
#include "transom/config/v1/config.pb.h"

namespace transom {

// options_index: of them all. Their backend has no name.
std::vector<RouteSource> own_service_routes(const config::v1::Config& config, size_t options_index);

}  // namespace transom
