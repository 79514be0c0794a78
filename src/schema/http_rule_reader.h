// Reads the google.api.http option of a method from its serialized MethodOptions. It goes by field numbers, not by
// generated classes, so it does not matter whose copy of google/api/annotations.proto the file was made with.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "schema/http_rule.h"

namespace transom {

// The rule and its additional_bindings, in order, each with that selector; none when the method has no such option.
// Fails where an additional binding has bindings of its own, and where the bytes are no HttpRule.
Result<std::vector<HttpRule>> read_http_rules(const std::string& method_options, std::string_view selector);

}  // namespace transom
