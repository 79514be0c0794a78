#include "embed/failure.h"

namespace transom {

Failure failure_of(const Status& status) {
  Failure failure;
  failure.code = static_cast<int32_t>(status.code);
  failure.http_status = http_status_of(status);
  failure.message = status.message;
  return failure;
}

}  // namespace transom
