// H1Parser reads one HTTP/1.x request after another from bytes as they come, through Boost.Beast's basic_parser and
// H1Checks. It is pulled: each call to next() takes bytes from the front of the input and tells at most one thing.
// It keeps no input; what it did not take must come again, with more behind it. One session's, one thread.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include "base/fields.h"
#include "base/limits.h"
#include "http/exchange.h"
#include "http/h1_checks.h"
#include "http/refusal.h"

namespace transom {

enum class H1Event : uint8_t {
  NeedMore,  // nothing to tell until more bytes come
  Head,      // take_head() and facts() are complete
  Body,      // body() holds the next piece
  End,       // the request is whole; trailers() are there
  Refused,   // refusal() says why; nothing more can be read
};

class H1Parser {
 public:
  explicit H1Parser(const SessionLimits& limits);
  ~H1Parser();

  // Forgets the last request.
  void start();
  // consumed: how many bytes of the input it took. At most body_bytes_max bytes of body are told; with 0 it reads up to
  // the next byte of body.
  H1Event next(std::string_view input, size_t body_bytes_max, size_t& consumed);

  RequestHead& head();
  H1Facts& facts();
  std::string_view body() const;  // valid as long as the input
  const Fields& trailers() const;
  const Refusal& refusal() const;
  bool has_started() const;  // a byte of the request was seen
  bool has_request_line() const;  // it was read; what follows is fields
  bool has_head() const;

 private:
  class Beast;
  const SessionLimits limits_;
  std::unique_ptr<Beast> beast_;
  size_t skipped_lines_ = 0;
};

}  // namespace transom
