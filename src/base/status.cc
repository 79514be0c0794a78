#include "base/status.h"

#include <array>

namespace transom {
namespace {

struct CodeRow {
  std::string_view name;
  uint16_t http_status;
};

// google/rpc/code.proto, by number.
constexpr std::array<CodeRow, 17> kCodes{{
    {"OK", 200},
    {"CANCELLED", 499},
    {"UNKNOWN", 500},
    {"INVALID_ARGUMENT", 400},
    {"DEADLINE_EXCEEDED", 504},
    {"NOT_FOUND", 404},
    {"ALREADY_EXISTS", 409},
    {"PERMISSION_DENIED", 403},
    {"RESOURCE_EXHAUSTED", 429},
    {"FAILED_PRECONDITION", 400},
    {"ABORTED", 409},
    {"OUT_OF_RANGE", 400},
    {"UNIMPLEMENTED", 501},
    {"INTERNAL", 500},
    {"UNAVAILABLE", 503},
    {"DATA_LOSS", 500},
    {"UNAUTHENTICATED", 401},
}};

const CodeRow* find_row(Code code) {
  auto number = static_cast<size_t>(code);
  return number < kCodes.size() ? &kCodes[number] : nullptr;
}

Status make_status(Code code, Fault fault, std::string message, uint16_t http_status) {
  return Status{.code = code, .fault = fault, .http_status = http_status, .message = std::move(message), .details = {}};
}

}  // namespace

uint16_t http_status_of(Code code) {
  const CodeRow* row = find_row(code);
  return row != nullptr ? row->http_status : 500;
}

uint16_t http_status_of(const Status& status) {
  return status.http_status != 0 ? status.http_status : http_status_of(status.code);
}

std::string_view code_name(Code code) {
  const CodeRow* row = find_row(code);
  return row != nullptr ? row->name : std::string_view();
}

Status client_error(Code code, std::string message, uint16_t http_status) {
  return make_status(code, Fault::Client, std::move(message), http_status);
}

Status replica_error(Code code, std::string message) { return make_status(code, Fault::Replica, std::move(message), 0); }

Status proxy_error(Code code, std::string message, uint16_t http_status) {
  return make_status(code, Fault::Proxy, std::move(message), http_status);
}

}  // namespace transom
