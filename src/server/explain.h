// What `transom explain` says of one request: which route takes it, what is bound to which field and from where, the
// message that results, and why the other routes do not take it. Everything is found out by what serves requests;
// nothing is sent. Plain text for people. One thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/fields.h"
#include "base/status.h"
#include "proxy/snapshot.h"

namespace transom {

struct ExplainedRequest {
  std::string method;
  std::string target;  // path and query, as on the request line
  std::string host;
  Fields fields;
  std::string body;
};

// line: "GET /v1/echo/a?x=1", or a target alone, which means GET, with a body POST. headers: "name: value".
// INVALID_ARGUMENT: one of them is not of that form.
Result<ExplainedRequest> parse_request_line(std::string_view line, const std::vector<std::string>& headers,
                                            std::string body);

struct Explanation {
  std::string text;
  bool is_accepted = false;  // false: the proxy itself would refuse the request; the text says how
};

Explanation explain_request(const Snapshot& snapshot, const ExplainedRequest& request);

}  // namespace transom
