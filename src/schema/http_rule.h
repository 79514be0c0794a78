// HttpRule is one google.api.HttpRule (google/api/http.proto), flattened: additional_bindings are rules of their own,
// without a selector of their own. It comes from an annotation or from the configuration.
#pragma once

#include <string>

namespace transom {

struct HttpRule {
  std::string selector;       // "package.Service.Method"
  std::string method;         // "GET" ... or the kind of a custom pattern; "*" for any
  std::string path;           // template text
  std::string body;           // "" none, "*" the whole message, else a field name
  std::string response_body;  // "" the whole message, else a field name
};

}  // namespace transom
