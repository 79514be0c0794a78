// The last schema that could be had from a source, kept on disk, so that a proxy may start while its replicas are away.
// Control thread only: it reads and writes files.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"

namespace transom {

// Replaces the file at once or not at all; makes its folder where that is missing.
Status save_last_good_copy(const std::string& path, std::string_view bytes);

// NOT_FOUND when there is none.
Result<std::string> load_last_good_copy(const std::string& path);

}  // namespace transom
