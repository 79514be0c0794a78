// H1Checks refuses what an HTTP/1.x parser alone lets through and what request smuggling is made of: framing given
// twice, unknown codings, missing or doubled hosts, heads out of bounds (RFC 9112 sections 3, 5, 6; RFC 9110 section
// 5.5). It is fed the parts of one head in order and keeps what the session must know of it. Pure; one per request.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/limits.h"
#include "http/exchange.h"
#include "http/refusal.h"

namespace transom {

// Longer methods are not served, in either version of HTTP.
inline constexpr size_t kMethodBytesMax = 64;

struct H1Facts {
  bool is_http10 = false;
  bool is_head = false;
  bool is_chunked = false;
  bool wants_close = false;       // Connection: close, or HTTP/1.0 without keep-alive
  bool wants_keep_alive = false;  // said so: HTTP/1.0 needs it repeated in the answer
  bool expects_continue = false;
  bool takes_trailers = false;   // TE: trailers
  bool upgrades_to_h2c = false;  // Upgrade: h2c, named in Connection, with one HTTP2-Settings
  std::string http2_settings;
  bool is_web_socket = false;  // GET with Upgrade: websocket, named in Connection
};

class H1Checks {
 public:
  H1Checks(const SessionLimits& limits, RequestHead& head) : limits_(limits), head_(head) {}

  Refusal on_request_line(std::string_view method, std::string_view target, int minor);
  Refusal on_field(std::string_view name, std::string_view value);
  Refusal on_head_end();
  // Trailers count towards the head's bounds; what they say is dropped but for the count (RFC 9110 section 6.5.1).
  Refusal on_trailer(std::string_view name, std::string_view value);

  H1Facts& facts() { return facts_; }

 private:
  Refusal count(std::string_view name, std::string_view value);
  Refusal take_target();
  Refusal take_absolute_target();
  Refusal on_content_length(std::string_view value);
  Refusal on_transfer_encoding(std::string_view value);
  Refusal on_host(std::string_view value);
  void on_connection_options(std::string_view value);
  void on_upgrade(std::string_view value);
  Refusal take_web_socket();

  const SessionLimits& limits_;
  RequestHead& head_;
  H1Facts facts_;
  size_t bytes_ = 0;
  size_t count_ = 0;
  int hosts_ = 0;
  int settings_fields_ = 0;
  bool has_transfer_encoding_ = false;
  bool asks_h2c_ = false;
  bool asks_web_socket_ = false;
  bool says_close_ = false;
  bool names_upgrade_ = false;
  bool names_settings_ = false;
  bool has_other_expectation_ = false;
  std::string target_authority_;  // of an absolute target: it stands above Host (RFC 9112 section 3.2.2)
};

// Whether a TE value names trailers (RFC 9110 section 10.1.4).
bool te_names_trailers(std::string_view value);

}  // namespace transom
