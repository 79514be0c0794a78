// The library's own Status as the Failure that its public headers speak of.
#pragma once

#include "base/status.h"
#include "transom/expected.h"

namespace transom {

Failure failure_of(const Status& status);

}  // namespace transom
