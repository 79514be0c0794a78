// The release this program is, as `transom version` and the user agent tell it.
#pragma once

#include <string>

namespace transom {

// "0.1.0"
const std::string& version();

}  // namespace transom
