// Cors is what one listener lets pages of other origins do, by the WHATWG Fetch standard: it says what a preflight may
// be told and which fields go with every other answer. It refuses no request by itself, since the browser is who
// compares. Pure and constant: made at start, shared by all requests of its listener.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "base/fields.h"
#include "base/status.h"

namespace transom {

// The keys of a listener's `cors`.
struct CorsOptions {
  std::vector<std::string> allow_origins;  // "*", "https://a.example", "https://*.example.com:8443"
  bool allow_credentials = false;
  std::vector<std::string> allow_methods;  // empty or "*": whatever the path answers
  std::vector<std::string> allow_headers;  // beside those that are always allowed; "*": any
  std::vector<std::string> expose_headers;
  std::chrono::seconds max_age{0};  // 0: the browser's own default
};

// What each entry of the lists must be: INVALID_ARGUMENT says what was expected, for the key's place to stand in front.
Status check_cors_origin(std::string_view origin);
Status check_cors_method(std::string_view method);
Status check_cors_header(std::string_view name);

class Cors {
 public:
  // Every entry has passed its check.
  explicit Cors(CorsOptions options);

  // Whether pages of that origin, as the Origin field has it, may read answers.
  bool allows(std::string_view origin) const;

  // OPTIONS with Origin and Access-Control-Request-Method: the browser's question, never a request of the page itself.
  static bool is_preflight(std::string_view method, const Fields& request);

  // Replaces what of CORS stands in `answer`, say a replica's, by what holds for this request.
  void fill_answer(const Fields& request, Fields& answer) const;
  // The same, and what a preflight asks for. path_methods: what the path answers, "GET, HEAD, OPTIONS".
  void fill_preflight(const Fields& request, std::string_view path_methods, Fields& answer) const;

 private:
  // `scheme://` and what the host ends with, port included.
  struct Suffix {
    std::string scheme;
    std::string end;
  };

  std::string methods_of(std::string_view path_methods) const;
  std::string headers_of(const Fields& request) const;

  bool allows_any_origin_ = false;
  std::vector<std::string> origins_;
  std::vector<Suffix> suffixes_;
  bool allows_credentials_ = false;
  bool allows_any_method_ = false;
  std::vector<std::string> methods_;
  bool allows_any_header_ = false;
  std::string headers_;
  std::string exposed_;
  std::string max_age_;  // "": not said
};

}  // namespace transom
