#include "http/h1_parser.h"

#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/error.hpp>

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>

#include "base/check.h"

namespace transom {
namespace {

namespace beast = boost::beast;

constexpr std::string_view kLineEnd = "\r\n";
constexpr size_t kEmptyLinesMax = 4;  // before a request line
constexpr size_t kLastChunkBytesMin = 5;
constexpr size_t kLineSlackBytes = 64;           // of a chunk line, beside its extensions: CRLF, size, CRLF
constexpr size_t kRawHeadSlackBytes = 4 * kKiB;  // separators and white space of a head, beside names and values
constexpr size_t kChunkExtensionsPerBody = 64;   // times chunk_extension_bytes

std::string_view view(beast::string_view text) { return {text.data(), text.size()}; }

bool is_control(char c) { return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7f; }

// Whether what stands at the end of a chunk is the line "0" and so the trailers follow.
bool begins_last_chunk(std::string_view input) {
  if (input.substr(0, 2) == "\r\n") {
    input.remove_prefix(2);
  }
  size_t zeros = std::min(input.find_first_not_of('0'), input.size());
  return zeros > 0 &&
         (zeros == input.size() || std::string_view("\r; \t").find(input[zeros]) != std::string_view::npos);
}

// Both 400: 505 is none of the statuses that clients are promised.
Refusal bad_version(std::string_view input) {
  std::string_view line = input.substr(0, input.find('\r'));
  size_t space = line.rfind(' ');
  std::string_view version = space == std::string_view::npos ? line : line.substr(space + 1);
  bool is_other_major = version.size() == 8 && version.starts_with("HTTP/") && version[5] >= '0' && version[5] <= '9' &&
                        version[6] == '.' && version[5] != '1';
  return {400, is_other_major ? "an HTTP version that is not served" : "a malformed HTTP version"};
}

}  // namespace

class H1Parser::Beast final : public beast::http::basic_parser<true> {
 public:
  explicit Beast(const SessionLimits& limits)
      : limits_(limits),
        raw_head_bytes_max_(limits.header_bytes + limits.target_bytes + kRawHeadSlackBytes),
        checks_(limits, head_) {
    header_limit(static_cast<uint32_t>(std::min<size_t>(raw_head_bytes_max_, std::numeric_limits<uint32_t>::max())));
    body_limit(boost::none);
  }

  H1Event next(std::string_view input, size_t body_bytes_max, size_t& consumed);

  RequestHead& head() { return head_; }
  H1Facts& facts() { return checks_.facts(); }
  std::string_view body() const { return body_; }
  const Fields& trailers() const { return trailers_; }
  const Refusal& refusal() const { return refusal_; }
  bool has_request_line() const { return has_request_line_; }
  bool has_head() const { return told_head_; }

 private:
  using Error = beast::error_code;

  H1Event put_once(std::string_view input, size_t& taken);
  H1Event on_error(const Error& error, std::string_view input);
  bool is_over_bounds(std::string_view input);
  bool is_too_short(std::string_view input);
  bool has_bad_line_end(std::string_view unread);
  H1Event refuse(const Refusal& refusal) {
    refusal_ = refusal;
    return H1Event::Refused;
  }
  // Makes Beast stop; next() then finds refusal_.
  void stop_on(const Refusal& refusal, Error& error) {
    if (refusal) {
      refusal_ = refusal;
      error = beast::http::error::bad_value;
    }
  }
  bool is_folded(std::string_view name, std::string_view value) const;

  void on_request_impl(beast::http::verb, beast::string_view method, beast::string_view target, int version,
                       Error& error) override {
    has_request_line_ = true;
    stop_on(checks_.on_request_line(view(method), view(target), version % 10), error);
  }
  void on_response_impl(int, beast::string_view, int, Error&) override {}
  void on_field_impl(beast::http::field, beast::string_view name, beast::string_view value, Error& error) override;
  void on_header_impl(Error& error) override { stop_on(checks_.on_head_end(), error); }
  void on_body_init_impl(boost::optional<uint64_t> const&, Error&) override {}
  size_t on_body_impl(beast::string_view bytes, Error&) override { return take_body(bytes); }
  void on_chunk_header_impl(uint64_t size, beast::string_view extensions, Error& error) override;
  size_t on_chunk_body_impl(uint64_t, beast::string_view bytes, Error&) override {
    size_t taken = take_body(bytes);
    chunk_left_ -= taken;
    return taken;
  }
  void on_finish_impl(Error&) override {}
  size_t take_body(beast::string_view bytes) {
    body_ = view(bytes).substr(0, body_bytes_max_);
    return body_.size();
  }

  const SessionLimits& limits_;
  const size_t raw_head_bytes_max_;
  RequestHead head_;
  H1Checks checks_;
  Fields trailers_;
  Refusal refusal_;
  std::string_view input_;  // of the put() that runs
  std::string_view body_;
  size_t body_bytes_max_ = 0;
  size_t raw_head_bytes_ = 0;
  size_t extension_bytes_ = 0;
  size_t scanned_ = 0;  // of what Beast has not taken of the head
  uint64_t chunk_left_ = 0;
  bool has_request_line_ = false;
  bool told_head_ = false;
};

// Beast joins folded lines (RFC 9112 section 5.2) without a word: then the value is a copy elsewhere, or a line end
// stands between the colon and the value.
bool H1Parser::Beast::is_folded(std::string_view name, std::string_view value) const {
  std::less<const char*> before;
  const char* end = input_.data() + input_.size();
  if (before(value.data(), input_.data()) || before(end, value.data())) {
    return true;
  }
  std::string_view gap(name.data() + name.size(), static_cast<size_t>(value.data() - name.data()) - name.size());
  return gap.find('\r') != std::string_view::npos;
}

void H1Parser::Beast::on_field_impl(beast::http::field, beast::string_view name, beast::string_view value,
                                    Error& error) {
  if (is_folded(view(name), view(value))) {
    return stop_on({400, "a folded header field"}, error);
  }
  if (!told_head_) {
    return stop_on(checks_.on_field(view(name), view(value)), error);
  }
  stop_on(checks_.on_trailer(view(name), view(value)), error);
  trailers_.add(view(name), view(value));
}

void H1Parser::Beast::on_chunk_header_impl(uint64_t size, beast::string_view extensions, Error& error) {
  extension_bytes_ += extensions.size();
  if (extensions.size() > limits_.chunk_extension_bytes ||
      extension_bytes_ > limits_.chunk_extension_bytes * kChunkExtensionsPerBody) {
    return stop_on({400, "chunk extensions are too long"}, error);
  }
  if (std::any_of(extensions.begin(), extensions.end(), is_control)) {
    return stop_on({400, "a control character in a chunk extension"}, error);
  }
  if (size > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) {
    stop_on({400, "a chunk is too large"}, error);
  }
  chunk_left_ = size;
}

// Of what Beast would not take and waits to see the end of.
bool H1Parser::Beast::is_over_bounds(std::string_view input) {
  if (!told_head_) {
    return false;  // header_limit does it
  }
  size_t line_bytes_max = limits_.chunk_extension_bytes + kLineSlackBytes;
  if (begins_last_chunk(input)) {
    line_bytes_max += limits_.header_bytes + kRawHeadSlackBytes;
  }
  return input.size() > line_bytes_max;
}

// Beast waits for the end of a head that came in parts before it looks at it again. A bare CR or LF, or a NUL, is seen
// here as soon as it comes: the end may never come, since the client has sent what it takes for one.
bool H1Parser::Beast::has_bad_line_end(std::string_view unread) {
  size_t at = std::min(scanned_, unread.size());
  scanned_ = unread.size();
  // The last byte may be the CR of a CRLF.
  for (at = at > 0 ? at - 1 : 0; at < unread.size(); ++at) {
    char c = unread[at];
    bool is_bare_cr = c == '\r' && at + 1 < unread.size() && unread[at + 1] != '\n';
    bool is_bare_lf = c == '\n' && (at == 0 || unread[at - 1] != '\r');
    if (is_bare_cr || is_bare_lf || c == '\0') {
      return true;
    }
  }
  return false;
}

// Beast ends the process when it sees a last chunk again that is shorter than any can be.
bool H1Parser::Beast::is_too_short(std::string_view input) {
  return told_head_ && checks_.facts().is_chunked && chunk_left_ == 0 && input.size() < kLastChunkBytesMin &&
         begins_last_chunk(input);
}

H1Event H1Parser::Beast::on_error(const Error& error, std::string_view input) {
  if (refusal_) {
    return H1Event::Refused;
  }
  if (error == beast::http::error::bad_version) {
    return refuse(bad_version(input));
  }
  if (error == beast::http::error::header_limit) {
    bool in_line = head_.method.empty() && input.find('\n') == std::string_view::npos;
    return refuse(in_line ? Refusal{431, "the request target is too long"}
                          : Refusal{431, "the header fields are too large"});
  }
  return refuse({400, told_head_ ? "a malformed chunk" : "a malformed request head"});
}

H1Event H1Parser::Beast::put_once(std::string_view input, size_t& taken) {
  input_ = input;
  body_ = {};
  Error error;
  taken = put(boost::asio::const_buffer(input.data(), input.size()), error);
  if (error == beast::http::error::need_more) {
    if (!told_head_ && has_bad_line_end(input.substr(taken))) {
      return refuse({400, "a malformed line end"});
    }
    if (is_over_bounds(input.substr(taken))) {
      return refuse(begins_last_chunk(input.substr(taken)) ? Refusal{431, "the trailers are too large"}
                                                           : Refusal{400, "chunk extensions are too long"});
    }
  } else if (error) {
    return on_error(error, input);
  }
  if (!told_head_) {
    raw_head_bytes_ += taken;
    if (is_header_done()) {
      told_head_ = true;
      return H1Event::Head;
    }
    if (raw_head_bytes_ > raw_head_bytes_max_) {
      return refuse({431, "the header fields are too large"});
    }
  }
  return body_.empty() ? H1Event::NeedMore : H1Event::Body;
}

H1Event H1Parser::Beast::next(std::string_view input, size_t body_bytes_max, size_t& consumed) {
  consumed = 0;
  body_bytes_max_ = body_bytes_max;
  for (;;) {
    if (is_done()) {
      return told_head_ ? H1Event::End : H1Event::NeedMore;
    }
    if (input.empty() || is_too_short(input)) {
      return H1Event::NeedMore;
    }
    size_t taken = 0;
    H1Event event = put_once(input, taken);
    consumed += taken;
    if (event != H1Event::NeedMore || (taken == 0 && !is_done())) {
      return event;
    }
    input.remove_prefix(taken);
  }
}

H1Parser::H1Parser(const SessionLimits& limits) : limits_(limits) {}
H1Parser::~H1Parser() = default;

void H1Parser::start() {
  beast_.reset();
  skipped_lines_ = 0;
}

H1Event H1Parser::next(std::string_view input, size_t body_bytes_max, size_t& consumed) {
  if (beast_ != nullptr) {
    return beast_->next(input, body_bytes_max, consumed);
  }
  size_t skipped = 0;
  // Empty lines before a request are let pass (RFC 9112 section 2.2).
  while (skipped_lines_ < kEmptyLinesMax && input.starts_with(kLineEnd)) {
    ++skipped_lines_;
    skipped += kLineEnd.size();
    input.remove_prefix(kLineEnd.size());
  }
  consumed = skipped;
  if (input.empty() || (skipped_lines_ < kEmptyLinesMax && input == kLineEnd.substr(0, 1))) {
    return H1Event::NeedMore;
  }
  beast_ = std::make_unique<Beast>(limits_);
  H1Event event = beast_->next(input, body_bytes_max, consumed);
  consumed += skipped;
  return event;
}

RequestHead& H1Parser::head() { return beast_->head(); }
H1Facts& H1Parser::facts() { return beast_->facts(); }
std::string_view H1Parser::body() const { return beast_->body(); }
const Fields& H1Parser::trailers() const { return beast_->trailers(); }
const Refusal& H1Parser::refusal() const { return beast_->refusal(); }
bool H1Parser::has_started() const { return beast_ != nullptr; }
bool H1Parser::has_request_line() const { return beast_ != nullptr && beast_->has_request_line(); }
bool H1Parser::has_head() const { return beast_ != nullptr && beast_->has_head(); }

}  // namespace transom
