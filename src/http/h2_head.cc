#include "http/h2_head.h"

#include <charconv>
#include <utility>

#include "http/h1_checks.h"
#include "http/request_target.h"
#include "http/web_socket_handshake.h"

namespace transom {

bool H2Head::count(const SessionLimits& limits, std::string_view name, std::string_view value) {
  bytes_ += name.size() + value.size();
  ++count_;
  if (count_ > limits.header_count) {
    refuse({431, "too many header fields"});
  } else if (bytes_ > limits.header_bytes) {
    refuse({431, "the header fields are too large"});
  }
  return !refusal_;
}

void H2Head::on_pseudo_field(const SessionLimits& limits, std::string_view name, std::string_view value) {
  if (name != ":path" && value.size() > limits.header_bytes) {
    refuse({431, "the header fields are too large"});
  } else if (name == ":method") {
    if (value.size() > kMethodBytesMax) {
      refuse({501, "the method is too long"});
      return;
    }
    request_.method = value;
  } else if (name == ":scheme") {
    request_.scheme = value;
  } else if (name == ":authority") {
    request_.authority = value;
  } else if (name == ":protocol") {
    protocol_ = value;
  } else if (name == ":path") {
    if (value.size() > limits.target_bytes) {
      refuse({431, "the request target is too long"});
      return;
    }
    request_.target = value;
  }
}

void H2Head::on_field(const SessionLimits& limits, std::string_view name, std::string_view value) {
  if (!name.empty() && name.front() == ':') {
    on_pseudo_field(limits, name, value);
    return;
  }
  if (!count(limits, name, value)) {
    return;
  }
  if (name == "cookie") {
    cookies_.append(cookies_.empty() ? "" : "; ").append(value);
    return;
  }
  note(name, value);
  request_.fields.add(name, value);
}

void H2Head::on_trailer(const SessionLimits& limits, std::string_view name, std::string_view value) {
  if (count(limits, name, value)) {
    trailers_.add(name, value);
  }
}

void H2Head::note(std::string_view name, std::string_view value) {
  if (name == "host") {
    has_host_ = true;
    host_ = value;
  } else if (name == "te") {
    takes_trailers_ = te_names_trailers(value);
  } else if (name == "expect") {
    expects_continue_ = equal_ignoring_case(value, "100-continue");
    if (!expects_continue_) {
      refuse({400, "an unknown expectation"});
    }
  } else if (name == "content-length") {
    // nghttp2 has checked that it is one number.
    std::from_chars(value.data(), value.data() + value.size(), request_.content_length);
  }
}

void H2Head::take_upgraded(RequestHead&& request, bool takes_trailers) {
  request_ = std::move(request);
  request_.version = HttpVersion::Http2;
  for (std::string_view name : {"connection", "upgrade", "http2-settings"}) {
    request_.fields.remove(name);
  }
  takes_trailers_ = takes_trailers;
}

void H2Head::check_host() {
  if (request_.authority.empty() && has_host_) {
    request_.authority = host_;
  }
  if (std::string_view wrong = check_authority(request_.authority); !wrong.empty()) {
    refuse({400, wrong});
  }
  // RFC 9113 section 8.3.1: a Host that differs is malformed.
  if (has_host_ && !equal_ignoring_case(host_, request_.authority)) {
    refuse({400, "Host and :authority differ"});
  }
}

// RFC 8441 section 5.
void H2Head::take_web_socket(bool ends) {
  if (ends) {
    refuse({400, "a WebSocket whose stream has ended"});
  }
  request_.is_web_socket = true;
  if (Refusal refusal = check_web_socket(request_)) {
    refuse(refusal);
  }
}

Refusal H2Head::on_end(bool ends) {
  if (!cookies_.empty()) {
    request_.fields.add("cookie", cookies_);
  }
  request_.version = HttpVersion::Http2;
  request_.has_body = !ends;
  expects_continue_ = expects_continue_ && !ends;
  if (ends && request_.content_length < 0) {
    request_.content_length = 0;
  }
  if (refusal_) {
    return refusal_;
  }
  if (request_.method == "CONNECT" && protocol_ == "websocket") {
    take_web_socket(ends);
  } else if (request_.method == "CONNECT") {
    refuse({501, protocol_.empty() ? std::string_view("CONNECT is not served")
                                   : std::string_view("CONNECT is served for the protocol websocket alone")});
    return refusal_;
  }
  if (request_.scheme != "http" && request_.scheme != "https") {
    refuse({400, "another scheme than http or https"});
  }
  bool is_star = request_.target == "*" && request_.method == "OPTIONS";
  if (std::string_view wrong = is_star ? std::string_view() : check_path(request_.target); !wrong.empty()) {
    refuse({400, wrong});
  }
  check_host();
  return refusal_;
}

}  // namespace transom
