// What a RoutedRequest holds: the route that was found, the values of path and query, and the table that both live in.
#pragma once

#include <memory>

#include "route/router.h"
#include "transom/router.h"

namespace transom {

struct RoutedRequest::Held {
  std::shared_ptr<const Router> router;
  Found found;
};

}  // namespace transom
