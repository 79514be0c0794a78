#include "transcode/json_print.h"

namespace transom {

Status JsonPrint::failure() const {
  if (is_cancelled) {
    return client_error(Code::Cancelled, "the request was cancelled");
  }
  if (problem != nullptr) {
    return replica_error(Code::Internal, problem);
  }
  return proxy_error(Code::Internal, "the answer is larger than this server sends");
}

}  // namespace transom
