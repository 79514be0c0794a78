#include "protocol/client_protocol.h"

#include "protocol/error_body.h"
#include "protocol/grpc_message.h"

namespace transom {

AnswerEnd json_failure(const Status& status, ErrorForm form, const Schema* schema, const JsonOptions& options) {
  AnswerEnd end;
  end.head = AnswerHead{.status = http_status_of(status), .content_type = content_type_of(form)};
  end.bytes = error_body(status, form, schema, options);
  end.trailers_in_head = true;
  end.status = status;
  return end;
}

AnswerEnd grpc_failure(const Status& status, std::string_view content_type) {
  AnswerEnd end;
  end.head = AnswerHead{.status = 200, .content_type = content_type};
  add_grpc_status(status, end.fields);
  end.trailers_in_head = true;
  end.has_length = false;
  end.status = status;
  return end;
}

}  // namespace transom
