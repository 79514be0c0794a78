// H1Writer turns one answer into HTTP/1.x bytes (RFC 9112 sections 6 and 7): it holds head and body until the session's
// flush asks for them, so that an answer finished at once gets a Content-Length and leaves in one write. Used again for
// each answer of a session. One thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/byte_queue.h"
#include "base/fields.h"
#include "base/memory_account.h"
#include "http/exchange.h"

namespace transom {

// "HTTP/1.1 100 Continue" and an empty line.
extern const std::string_view kH1Continue;

class H1Writer {
 public:
  explicit H1Writer(MemoryAccount* account) : body_(account) {}

  // What the request says about its answer. Forgets the last answer.
  void start(bool is_http10, bool is_head);

  void give_head(const ResponseHead& head, std::string_view date);
  void give_body(std::string&& bytes);
  void give_end(const Fields& trailers);
  // No more comes, and the end is not to be written.
  void cut() { is_cut_ = true; }

  // Appends at most about max bytes, body counted. close: nothing follows this answer; looked at when the head is
  // written. keep_alive: say so (HTTP/1.0).
  void produce(std::string& out, size_t max, bool close, bool keep_alive);

  bool has_head() const { return has_head_; }
  bool has_written_head() const { return has_written_head_; }
  bool has_ended() const { return has_ended_; }
  bool is_cut() const { return is_cut_; }
  // Everything given was produced, and nothing more can come.
  bool is_done() const { return is_cut_ ? body_.empty() && (has_written_head_ || !has_head_) : has_written_end_; }
  // produce() would append something.
  bool has_more() const;
  // The end of the session is the end of the body: only for HTTP/1.0.
  bool ends_by_close() const { return framing_ == Framing::Close; }
  // The handler gave other bytes than its Content-Length said: the session must not be used again.
  bool is_broken() const { return is_broken_; }
  size_t buffered() const { return body_.size(); }
  uint64_t body_bytes() const { return body_bytes_; }
  // The head said 101: body is written as it is.
  bool switches() const { return status_ == 101; }

 private:
  enum class Framing : uint8_t { None, Length, Chunked, Close };
  void write_head(std::string& out, bool close, bool keep_alive);
  void choose_framing(std::string& out);
  void write_body(std::string& out, size_t max);
  void write_end(std::string& out);

  bool is_http10_ = false;
  bool is_head_ = false;
  bool has_head_ = false;
  bool has_written_head_ = false;
  bool has_ended_ = false;
  bool has_written_end_ = false;
  bool is_cut_ = false;
  bool is_broken_ = false;
  bool has_no_body_ = false;
  Framing framing_ = Framing::None;
  uint16_t status_ = 0;
  int64_t length_ = -1;
  uint64_t body_bytes_ = 0;
  std::string head_;  // status line and fields, without the framing's and the empty line
  std::string trailers_;
  ByteQueue body_;
};

}  // namespace transom
