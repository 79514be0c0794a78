#include "backend/request_fields.h"

namespace transom {

void list_request_fields(const CallHead& head, const RequestDefaults& defaults, std::vector<Field>& out) {
  // nghttp2 and gRPC servers want pseudo-fields first; grpc-timeout comes right behind them, as the protocol asks.
  out.push_back({":method", "POST"});
  out.push_back({":scheme", "http"});
  out.push_back({":path", head.path});
  out.push_back({":authority", head.authority.empty() ? defaults.authority : std::string_view(head.authority)});
  if (!defaults.timeout.empty()) {
    out.push_back({"grpc-timeout", defaults.timeout});
  }
  out.push_back({"te", "trailers"});
  out.push_back({"content-type", head.content_type});
  bool has_user_agent = false;
  for (const Field field : head.metadata) {
    has_user_agent = has_user_agent || field.name == "user-agent";
    out.push_back(field);
  }
  if (!has_user_agent) {
    out.push_back({"user-agent", defaults.user_agent});
  }
}

}  // namespace transom
