#include "base/reason_phrase.h"

#include <algorithm>
#include <iterator>

namespace transom {
namespace {

struct Reason {
  uint16_t status;
  std::string_view phrase;
};

constexpr Reason kReasons[] = {
    {101, "Switching Protocols"},
    {200, "OK"},
    {201, "Created"},
    {202, "Accepted"},
    {204, "No Content"},
    {206, "Partial Content"},
    {301, "Moved Permanently"},
    {302, "Found"},
    {303, "See Other"},
    {304, "Not Modified"},
    {307, "Temporary Redirect"},
    {308, "Permanent Redirect"},
    {400, "Bad Request"},
    {401, "Unauthorized"},
    {403, "Forbidden"},
    {404, "Not Found"},
    {405, "Method Not Allowed"},
    {406, "Not Acceptable"},
    {408, "Request Timeout"},
    {409, "Conflict"},
    {412, "Precondition Failed"},
    {413, "Content Too Large"},
    {415, "Unsupported Media Type"},
    {422, "Unprocessable Content"},
    {426, "Upgrade Required"},
    {429, "Too Many Requests"},
    {431, "Request Header Fields Too Large"},
    {499, "Client Closed Request"},
    {500, "Internal Server Error"},
    {501, "Not Implemented"},
    {502, "Bad Gateway"},
    {503, "Service Unavailable"},
    {504, "Gateway Timeout"},
};

}  // namespace

std::string_view reason_phrase(uint16_t status) {
  auto found = std::lower_bound(std::begin(kReasons), std::end(kReasons), status,
                                [](const Reason& reason, uint16_t wanted) { return reason.status < wanted; });
  return found != std::end(kReasons) && found->status == status ? found->phrase : std::string_view();
}

}  // namespace transom
