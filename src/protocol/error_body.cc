#include "protocol/error_body.h"

#include "schema/schema_loader.h"
#include "transcode/wire_to_json.h"

namespace transom {

std::string error_body(const Status& status, const Schema* schema, const JsonOptions& options) {
  std::string out = "{\"code\":";
  out += std::to_string(static_cast<int32_t>(status.code));
  out += ",\"message\":";
  append_json_string(status.message, out);
  out += ",\"details\":[";
  if (!status.details.empty()) {
    out += details_to_json(status.details, schema != nullptr ? *schema : *builtin_schema(), options);
  }
  out += "]}";
  return out;
}

std::string error_body(const Status& status) { return error_body(status, nullptr, JsonOptions{}); }

}  // namespace transom
