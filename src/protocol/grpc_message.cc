#include "protocol/grpc_message.h"

#include "base/base64.h"

namespace transom {

std::string encode_grpc_message(std::string_view text) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    if (c >= ' ' && c <= '~' && c != '%') {
      out.push_back(c);
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    out.push_back('%');
    out.push_back(kHex[byte >> 4]);
    out.push_back(kHex[byte & 15]);
  }
  return out;
}

void add_grpc_status(const Status& status, Fields& fields) {
  fields.add("grpc-status", std::to_string(static_cast<int32_t>(status.code)));
  if (!status.message.empty()) {
    fields.add("grpc-message", encode_grpc_message(status.message));
  }
  if (!status.details.empty()) {
    std::string text;
    encode_base64(status.details, false, text);
    fields.add("grpc-status-details-bin", text);
  }
}

}  // namespace transom
