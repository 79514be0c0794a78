#include "http/h1_checks.h"

#include <algorithm>
#include <charconv>

#include "base/text.h"
#include "http/request_target.h"
#include "http/web_socket_handshake.h"

namespace transom {
namespace {

constexpr Refusal kFine{};

// `name` is one of the parser's views, in the client's case.
bool is(std::string_view name, std::string_view lower) {
  return name.size() == lower.size() && equal_ignoring_case(name, lower);
}

}  // namespace

bool te_names_trailers(std::string_view value) {
  bool found = false;
  each_list_member(value, [&](std::string_view member) {
    found = found || is(member.substr(0, member.find_first_of("; \t")), "trailers");
  });
  return found;
}

Refusal H1Checks::on_request_line(std::string_view method, std::string_view target, int minor) {
  facts_.is_http10 = minor == 0;
  facts_.is_head = method == "HEAD";
  if (target.size() > limits_.target_bytes) {
    return {431, "the request target is too long"};
  }
  if (method.size() > kMethodBytesMax) {
    return {501, "the method is too long"};
  }
  head_.method = method;
  if (method == "CONNECT") {
    return {501, "CONNECT is not served"};
  }
  head_.target = target;
  return take_target();
}

Refusal H1Checks::take_target() {
  if (head_.target == "*") {
    return head_.method == "OPTIONS" ? kFine : Refusal{400, "the target * is for OPTIONS alone"};
  }
  if (head_.target.front() != '/') {
    return take_absolute_target();
  }
  std::string_view wrong = check_path(head_.target);
  return wrong.empty() ? kFine : Refusal{400, wrong};
}

Refusal H1Checks::take_absolute_target() {
  auto split = split_absolute(head_.target);
  if (!split) {
    return {400, "a malformed request target"};
  }
  if (!is(split->scheme, "http") && !is(split->scheme, "https")) {
    return {400, "the request target has another scheme than http or https"};
  }
  if (std::string_view wrong = check_authority(split->authority); !wrong.empty()) {
    return {400, wrong};
  }
  target_authority_ = split->authority;
  std::string path(split->rest);
  if (path.empty() && head_.method == "OPTIONS") {
    path = "*";  // RFC 9112 section 3.2.4
  } else if (path.empty() || path.front() != '/') {
    path.insert(path.begin(), '/');
  }
  if (std::string_view wrong = path == "*" ? std::string_view() : check_path(path); !wrong.empty()) {
    return {400, wrong};
  }
  head_.target = std::move(path);
  return kFine;
}

Refusal H1Checks::count(std::string_view name, std::string_view value) {
  bytes_ += name.size() + value.size();
  ++count_;
  if (count_ > limits_.header_count) {
    return {431, "too many header fields"};
  }
  return bytes_ > limits_.header_bytes ? Refusal{431, "the header fields are too large"} : kFine;
}

Refusal H1Checks::on_field(std::string_view name, std::string_view value) {
  if (Refusal over = count(name, value)) {
    return over;
  }
  Refusal wrong;
  // By length first: most fields are none of these.
  switch (name.size()) {
    case 2:
      facts_.takes_trailers = facts_.takes_trailers || (is(name, "te") && te_names_trailers(value));
      break;
    case 4:
      wrong = is(name, "host") ? on_host(value) : kFine;
      break;
    case 6:
      if (is(name, "expect")) {
        (is(value, "100-continue") ? facts_.expects_continue : has_other_expectation_) = true;
      }
      break;
    case 7:
      if (is(name, "upgrade")) {
        on_upgrade(value);
      }
      break;
    case 10:
      if (is(name, "connection")) {
        on_connection_options(value);
      }
      break;
    case 14:
      if (is(name, "content-length")) {
        wrong = on_content_length(value);
      } else if (is(name, "http2-settings")) {
        ++settings_fields_;
        facts_.http2_settings = value;
      }
      break;
    case 17:
      wrong = is(name, "transfer-encoding") ? on_transfer_encoding(value) : kFine;
      break;
    default:
      break;
  }
  if (!wrong) {
    head_.fields.add(name, value);
  }
  return wrong;
}

Refusal H1Checks::on_host(std::string_view value) {
  if (++hosts_ > 1) {
    return {400, "more than one Host"};
  }
  if (std::string_view wrong = check_authority(value); !wrong.empty()) {
    return {400, wrong};
  }
  head_.authority = value;
  return kFine;
}

Refusal H1Checks::on_content_length(std::string_view value) {
  if (head_.content_length >= 0) {
    return {400, "more than one Content-Length"};
  }
  int64_t length = 0;
  auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), length);
  bool is_number = !value.empty() && value.front() != '-' && error == std::errc() && end == value.data() + value.size();
  if (!is_number) {
    return {400, "a malformed Content-Length"};
  }
  head_.content_length = length;
  return kFine;
}

Refusal H1Checks::on_transfer_encoding(std::string_view value) {
  if (has_transfer_encoding_) {
    return {400, "more than one Transfer-Encoding"};
  }
  has_transfer_encoding_ = true;
  if (facts_.is_http10) {
    return {400, "Transfer-Encoding in HTTP/1.0"};  // RFC 9112 section 6.1
  }
  if (!is(value, "chunked")) {
    return {501, "a transfer coding other than chunked"};
  }
  facts_.is_chunked = true;
  return kFine;
}

void H1Checks::on_connection_options(std::string_view value) {
  each_list_member(value, [&](std::string_view option) {
    says_close_ = says_close_ || is(option, "close");
    facts_.wants_keep_alive = facts_.wants_keep_alive || is(option, "keep-alive");
    names_upgrade_ = names_upgrade_ || is(option, "upgrade");
    names_settings_ = names_settings_ || is(option, "http2-settings");
  });
}

void H1Checks::on_upgrade(std::string_view value) {
  each_list_member(value, [&](std::string_view member) {
    asks_h2c_ = asks_h2c_ || is(member, "h2c");
    asks_web_socket_ = asks_web_socket_ || is(member, "websocket");
  });
}

// What does not ask for one in full is a request like any other (RFC 9110 section 7.8).
Refusal H1Checks::take_web_socket() {
  if (!asks_web_socket_ || !names_upgrade_ || facts_.is_http10 || head_.method != "GET") {
    return kFine;
  }
  if (facts_.is_chunked || head_.content_length > 0) {
    return {400, "a request for a WebSocket with a body"};
  }
  facts_.is_web_socket = head_.is_web_socket = head_.has_body = true;
  return check_web_socket(head_);
}

Refusal H1Checks::on_head_end() {
  if (has_transfer_encoding_ && head_.content_length >= 0) {
    return {400, "both Transfer-Encoding and Content-Length"};
  }
  if (hosts_ == 0 && !facts_.is_http10) {
    return {400, "no Host"};
  }
  if (!target_authority_.empty()) {
    head_.authority = std::move(target_authority_);
  }
  if (facts_.is_http10) {
    facts_.expects_continue = false;  // RFC 9110 section 10.1.1
  } else if (has_other_expectation_) {
    return {400, "an unknown expectation"};
  }
  head_.has_body = facts_.is_chunked || head_.content_length > 0;
  facts_.expects_continue = facts_.expects_continue && head_.has_body;
  facts_.wants_close = says_close_ || (facts_.is_http10 && !facts_.wants_keep_alive);
  facts_.upgrades_to_h2c =
      asks_h2c_ && names_upgrade_ && names_settings_ && settings_fields_ == 1 && !facts_.is_http10 && !head_.has_body;
  return take_web_socket();
}

Refusal H1Checks::on_trailer(std::string_view name, std::string_view value) { return count(name, value); }

}  // namespace transom
