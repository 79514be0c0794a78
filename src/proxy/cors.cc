#include "proxy/cors.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.h"

namespace transom {
namespace {

constexpr std::string_view kAny = "*";
constexpr std::string_view kSchemeEnd = "://";

// Always allowed: those of the Fetch standard's safelist, whose values may yet not be (a Content-Type of JSON), and
// those that the proxy reads itself.
constexpr std::array<std::string_view, 6> kOwnHeaders = {
    "accept", "accept-language", "content-language", "content-type", "x-request-id", "x-request-timeout-seconds"};

constexpr std::array<std::string_view, 7> kAnswerFields = {
    "access-control-allow-origin",         "access-control-allow-credentials", "access-control-expose-headers",
    "access-control-allow-methods",        "access-control-allow-headers",     "access-control-max-age",
    "access-control-allow-private-network"};

Status refused(std::string expected, std::string_view found) {
  return proxy_error(Code::InvalidArgument,
                     "expected " + std::move(expected) + ", found \"" + std::string(found) + "\"");
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_scheme(std::string_view text) {
  return !text.empty() && is_lower(text.front()) && std::ranges::all_of(text, [](char c) {
    return is_lower(c) || is_digit(c) || c == '+' || c == '-' || c == '.';
  });
}

// A host as browsers write it: in lower case, names in ASCII, v6 in brackets.
bool is_host(std::string_view text) {
  const bool is_v6 = text.starts_with('[') && text.ends_with(']');
  return !text.empty() && std::ranges::all_of(is_v6 ? text.substr(1, text.size() - 2) : text, [is_v6](char c) {
    return is_lower(c) || is_digit(c) || c == '.' || (is_v6 ? c == ':' : c == '-' || c == '_');
  });
}

bool is_port(std::string_view text) { return text.size() <= 5 && !text.empty() && std::ranges::all_of(text, is_digit); }

bool is_default_port(std::string_view scheme, std::string_view port) {
  return (scheme == "http" && port == "80") || (scheme == "https" && port == "443");
}

// A host or the end of one, and perhaps a port.
bool is_authority(std::string_view scheme, std::string_view text) {
  const size_t colon = text.ends_with(']') ? text.npos : text.rfind(':');
  if (colon == text.npos) {
    return is_host(text);
  }
  const std::string_view port = text.substr(colon + 1);
  return is_host(text.substr(0, colon)) && is_port(port) && !is_default_port(scheme, port);
}

void append_piece(std::string& list, std::string_view piece) { list.append(list.empty() ? "" : ", ").append(piece); }

bool has(const std::vector<std::string>& list, std::string_view entry) {
  return std::ranges::find(list, entry) != list.end();
}

}  // namespace

Status check_cors_origin(std::string_view origin) {
  if (origin == kAny) {
    return {};
  }
  const size_t at = origin.find(kSchemeEnd);
  const std::string_view scheme = origin.substr(0, at);
  std::string_view rest = at == origin.npos ? std::string_view() : origin.substr(at + kSchemeEnd.size());
  if (rest.starts_with("*.")) {
    rest.remove_prefix(2);
  }
  if (!is_scheme(scheme) || !is_authority(scheme, rest)) {
    return refused(
        "*, or an origin as browsers send it, like https://shop.example, http://localhost:3000 or "
        "https://*.shop.example "
        "(in lower case, without a path, a slash at its end or its scheme's own port)",
        origin);
  }
  return {};
}

// Methods are told apart by case, and browsers send all but the oldest ones as the page wrote them.
Status check_cors_method(std::string_view method) {
  return is_token(method) && std::ranges::none_of(method, is_lower) ? Status()
                                                                    : refused("* or a method in upper case", method);
}

Status check_cors_header(std::string_view name) {
  return is_token(name) ? Status() : refused("* or the name of a header field", name);
}

Cors::Cors(CorsOptions options) {
  for (const std::string& origin : options.allow_origins) {
    const size_t wild = origin.find("://*.");
    if (origin == kAny) {
      allows_any_origin_ = true;
    } else if (wild != origin.npos) {
      const size_t host = wild + kSchemeEnd.size();
      suffixes_.push_back({origin.substr(0, host), origin.substr(host + 1)});
    } else {
      origins_.push_back(origin);
    }
  }
  // Any page could act as whoever is logged in: the configuration's check refuses it, and here it is not done either.
  allows_credentials_ = options.allow_credentials && !allows_any_origin_;
  allows_any_method_ = options.allow_methods.empty() || has(options.allow_methods, kAny);
  methods_ = std::move(options.allow_methods);
  allows_any_header_ = has(options.allow_headers, kAny);
  for (const std::string_view name : kOwnHeaders) {
    append_piece(headers_, name);
  }
  for (const std::string& name : options.allow_headers) {
    append_piece(headers_, lower_case(name));
  }
  for (const std::string& name : options.expose_headers) {
    append_piece(exposed_, lower_case(name));
  }
  if (options.max_age.count() > 0) {
    max_age_ = std::to_string(options.max_age.count());
  }
}

bool Cors::allows(std::string_view origin) const {
  if (allows_any_origin_ || has(origins_, origin)) {
    return true;
  }
  return std::ranges::any_of(suffixes_, [origin](const Suffix& suffix) {
    if (!origin.starts_with(suffix.scheme) || !origin.ends_with(suffix.end) ||
        origin.size() <= suffix.scheme.size() + suffix.end.size()) {
      return false;
    }
    // What the star stands for are labels of a host and nothing else.
    return is_host(origin.substr(suffix.scheme.size(), origin.size() - suffix.scheme.size() - suffix.end.size()));
  });
}

bool Cors::is_preflight(std::string_view method, const Fields& request) {
  return method == "OPTIONS" && request.find("origin").has_value() &&
         request.find("access-control-request-method").has_value();
}

void Cors::fill_answer(const Fields& request, Fields& answer) const {
  for (const std::string_view name : kAnswerFields) {
    answer.remove(name);
  }
  const std::string_view origin = request.find("origin").value_or("");
  if (allows_any_origin_) {
    // The same for everybody: caches need not tell origins apart.
    answer.add("access-control-allow-origin", kAny);
  } else {
    answer.add("vary", "Origin");
    if (origin.empty() || !allows(origin)) {
      return;
    }
    answer.add("access-control-allow-origin", origin);
  }
  if (allows_credentials_) {
    answer.add("access-control-allow-credentials", "true");
  }
  if (!exposed_.empty()) {
    answer.add("access-control-expose-headers", exposed_);
  }
}

void Cors::fill_preflight(const Fields& request, std::string_view path_methods, Fields& answer) const {
  fill_answer(request, answer);
  answer.remove("access-control-expose-headers");
  if (!answer.find("access-control-allow-origin").has_value()) {
    return;
  }
  answer.add("access-control-allow-methods", methods_of(path_methods));
  answer.add("access-control-allow-headers", headers_of(request));
  if (!max_age_.empty()) {
    answer.add("access-control-max-age", max_age_);
  }
}

std::string Cors::methods_of(std::string_view path_methods) const {
  if (allows_any_method_) {
    return std::string(path_methods);
  }
  std::string methods;
  each_list_member(path_methods, [&](std::string_view method) {
    if (has(methods_, method)) {
      append_piece(methods, method);
    }
  });
  return methods;
}

// A literal star would leave Authorization out, and means nothing where credentials are allowed.
std::string Cors::headers_of(const Fields& request) const {
  if (!allows_any_header_) {
    return headers_;
  }
  std::string headers;
  for (const Field field : request) {
    if (field.name == "access-control-request-headers") {
      each_list_member(field.value, [&](std::string_view name) {
        if (is_token(name)) {
          append_piece(headers, name);
        }
      });
    }
  }
  return headers;
}

}  // namespace transom
