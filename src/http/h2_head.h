// H2Head gathers one request's head from the decoded fields of an HTTP/2 header block and checks what nghttp2 does not
// (RFC 9113 section 8.3): path, scheme, authority against Host, and the bounds, with every split cookie counted. Past
// a bound it stores nothing more but lets the block go on, since the decoder's state must be kept. Pure; one per
// stream.
#pragma once

#include <string>
#include <string_view>

#include "base/limits.h"
#include "http/exchange.h"
#include "http/refusal.h"

namespace transom {

class H2Head {
 public:
  // One field of the head, pseudo-fields included.
  void on_field(const SessionLimits& limits, std::string_view name, std::string_view value);
  // One field of the trailers; they count towards the same bounds.
  void on_trailer(const SessionLimits& limits, std::string_view name, std::string_view value);
  // Something in it broke the rules of field names and values.
  void on_invalid_field() { refuse({400, "a malformed header field"}); }
  // ends: the request has no body.
  Refusal on_end(bool ends);

  // A head that came as HTTP/1.1 and was checked there.
  void take_upgraded(RequestHead&& request, bool takes_trailers);

  RequestHead& request() { return request_; }
  const RequestHead& request() const { return request_; }
  const Fields& trailers() const { return trailers_; }
  const Refusal& refusal() const { return refusal_; }
  bool is_empty() const { return count_ == 0 && request_.method.empty() && request_.target.empty(); }
  bool takes_trailers() const { return takes_trailers_; }
  bool expects_continue() const { return expects_continue_; }

 private:
  bool count(const SessionLimits& limits, std::string_view name, std::string_view value);
  void on_pseudo_field(const SessionLimits& limits, std::string_view name, std::string_view value);
  void note(std::string_view name, std::string_view value);
  void check_host();
  void take_web_socket(bool ends);
  void refuse(const Refusal& refusal) {
    if (!refusal_) {
      refusal_ = refusal;
    }
  }

  RequestHead request_;
  Fields trailers_;
  std::string cookies_;  // joined (RFC 9113 section 8.2.3)
  std::string host_;
  std::string protocol_;  // of an extended CONNECT (RFC 8441 section 4)
  Refusal refusal_;
  size_t bytes_ = 0;
  size_t count_ = 0;
  bool takes_trailers_ = false;
  bool expects_continue_ = false;
  bool has_host_ = false;
};

}  // namespace transom
