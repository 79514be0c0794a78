// RoutePlan is one Route with what only the Router needs of it: where in the path its variables stand, and ready-made
// paths for query keys. apply_rule checks an HTTP rule against its method's messages. Made at load, then constant.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "route/path_template.h"
#include "route/route.h"

namespace transom {

// The paths of one part, by the index of the field: most query keys need no other.
using TopPaths = std::vector<FieldPath>;

struct RoutePlan {
  Route* route = nullptr;  // the table owns it
  PathTemplate path;       // its variables are those of route->request.path_fields, in order
  std::shared_ptr<const TopPaths> top_paths;
  std::string rule;  // "conf.yaml:12:5: pkg.Svc.Method: POST `/v1/{x}`", for errors
};

std::shared_ptr<const TopPaths> make_top_paths(const MessagePlan& message);

// Fills plan.path, and the shapes of plan.route, whose method, rpc and plan are set.
// INVALID_ARGUMENT: a bad template, an unknown field, a path variable that is repeated, a map or a message.
Status apply_rule(const HttpRule& rule, RoutePlan& plan);

}  // namespace transom
