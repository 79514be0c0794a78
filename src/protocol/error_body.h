// The one JSON shape of an error: {"code":5,"message":"...","details":[...]}, ours and the replicas' alike. Pure.
#pragma once

#include <string>

#include "base/status.h"
#include "schema/schema.h"
#include "transcode/json_options.h"

namespace transom {

// schema: where the types of the details are looked up; null: the built-in ones.
std::string error_body(const Status& status, const Schema* schema, const JsonOptions& options);
// For errors without a route, so without details of a service's own types.
std::string error_body(const Status& status);

}  // namespace transom
