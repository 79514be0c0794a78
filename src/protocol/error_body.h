// The JSON of an error, ours and the replicas' alike, in the form that the configuration names. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"
#include "schema/schema.h"
#include "transcode/json_options.h"

namespace transom {

enum class ErrorForm : uint8_t {
  Status,    // google.rpc.Status: {"code":5,"message":"...","details":[...]}
  Envelope,  // AIP-193: {"error":{"code":404,"message":"...","status":"NOT_FOUND","details":[...]}}
  Problem,   // RFC 9457: {"type":"about:blank","title":...,"status":404,"detail":...,"code":5,"details":[...]}
};

std::string_view content_type_of(ErrorForm form);

// schema: where the types of the details are looked up; null: the built-in ones.
std::string error_body(const Status& status, ErrorForm form, const Schema* schema, const JsonOptions& options);
// For errors without a route, so without details of a service's own types.
std::string error_body(const Status& status, ErrorForm form);

}  // namespace transom
