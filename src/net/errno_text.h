// The system's own words for an errno value.
#pragma once

#include <string>

namespace transom {

std::string errno_text(int error);

}  // namespace transom
