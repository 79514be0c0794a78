// One of the checks, chosen by the environment's TRANSOM_FUZZ (json, wire or schema), as libFuzzer and the replay call
// it.
#pragma once

#include <string>
#include <string_view>

namespace transom {

using FuzzCheck = std::string (*)(std::string_view bytes);

// Null for a name that is none.
FuzzCheck find_check(std::string_view name);

}  // namespace transom
