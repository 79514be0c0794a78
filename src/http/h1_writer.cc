#include "http/h1_writer.h"

#include <algorithm>
#include <charconv>

#include "base/check.h"
#include "base/reason_phrase.h"

namespace transom {
namespace {

void append_number(std::string& out, uint64_t number, int radix) {
  char digits[24];
  auto end = std::to_chars(digits, digits + sizeof(digits), number, radix).ptr;
  out.append(digits, end);
}

// A value that would end its own line is somebody's attempt to write the next one.
void append_field(std::string& out, std::string_view name, std::string_view value) {
  size_t at = out.append(name).append(": ").size();
  out.append(value);
  for (; at < out.size(); ++at) {
    if (out[at] == '\r' || out[at] == '\n' || out[at] == '\0') {
      out[at] = ' ';
    }
  }
  out.append("\r\n");
}

}  // namespace

const std::string_view kH1Continue = "HTTP/1.1 100 Continue\r\n\r\n";

void H1Writer::start(bool is_http10, bool is_head) {
  is_http10_ = is_http10;
  is_head_ = is_head;
  has_head_ = has_written_head_ = has_ended_ = has_written_end_ = is_cut_ = is_broken_ = has_no_body_ = false;
  framing_ = Framing::None;
  status_ = 0;
  length_ = -1;
  body_bytes_ = 0;
  head_.clear();
  trailers_.clear();
  body_.clear();
}

void H1Writer::give_head(const ResponseHead& head, std::string_view date) {
  check(!has_head_, "an answer has one head");
  has_head_ = true;
  status_ = head.status;
  length_ = head.content_length;
  has_no_body_ = is_head_ || status_ == 204 || status_ == 304 || (status_ < 200 && !switches());
  head_.append("HTTP/1.1 ");
  append_number(head_, status_, 10);
  head_.append(" ").append(reason_phrase(status_)).append("\r\n");
  for (const Field field : head.fields) {
    append_field(head_, field.name, field.value);
  }
  append_field(head_, "date", date);
}

void H1Writer::give_body(std::string&& bytes) {
  check(has_head_ && !has_ended_, "body comes between head and end");
  if (has_no_body_ || is_cut_) {
    return;
  }
  if (length_ >= 0 && body_bytes_ + bytes.size() > static_cast<uint64_t>(length_)) {
    is_broken_ = true;
    bytes.resize(static_cast<size_t>(length_) - static_cast<size_t>(body_bytes_));
  }
  body_bytes_ += bytes.size();
  body_.push(std::move(bytes));
}

void H1Writer::give_end(const Fields& trailers) {
  check(has_head_ && !has_ended_, "an answer ends once, after its head");
  has_ended_ = true;
  if (!is_http10_ && !has_no_body_) {
    for (const Field field : trailers) {
      append_field(trailers_, field.name, field.value);
    }
  }
  if (!has_no_body_ && length_ >= 0 && body_bytes_ < static_cast<uint64_t>(length_)) {
    is_broken_ = true;
    is_cut_ = true;
  }
}

bool H1Writer::has_more() const {
  if (!has_head_) {
    return false;
  }
  return !has_written_head_ || !body_.empty() || (has_ended_ && !has_written_end_ && !is_cut_);
}

void H1Writer::choose_framing(std::string& out) {
  if (switches()) {
    return;  // what follows is the other protocol's
  }
  if (has_no_body_) {
    // Of a GET's answer or a 304 the length may still be told (RFC 9110 section 8.6).
    if (length_ >= 0 && status_ != 204 && status_ >= 200) {
      out.append("content-length: ");
      append_number(out, static_cast<uint64_t>(length_), 10);
      out.append("\r\n");
    }
    return;
  }
  bool is_whole = has_ended_ && !is_cut_ && trailers_.empty();
  if (length_ >= 0 || is_whole) {
    framing_ = Framing::Length;
    out.append("content-length: ");
    append_number(out, length_ >= 0 ? static_cast<uint64_t>(length_) : body_.size(), 10);
    out.append("\r\n");
  } else if (is_http10_) {
    framing_ = Framing::Close;
  } else {
    framing_ = Framing::Chunked;
    out.append("transfer-encoding: chunked\r\n");
  }
}

void H1Writer::write_head(std::string& out, bool close, bool keep_alive) {
  has_written_head_ = true;
  out.append(head_);
  choose_framing(out);
  if (switches()) {
    // Its Connection field says Upgrade.
  } else if (close || framing_ == Framing::Close) {
    out.append("connection: close\r\n");
  } else if (keep_alive) {
    out.append("connection: keep-alive\r\n");
  }
  out.append("\r\n");
}

void H1Writer::write_body(std::string& out, size_t max) {
  size_t now = std::min(body_.size(), max);
  if (now == 0) {
    return;
  }
  if (framing_ == Framing::Chunked) {
    append_number(out, now, 16);
    out.append("\r\n");
  }
  while (now > 0) {
    std::string_view piece = body_.front().substr(0, now);
    out.append(piece);
    now -= piece.size();
    body_.pop(piece.size());
  }
  if (framing_ == Framing::Chunked) {
    out.append("\r\n");
  }
}

void H1Writer::write_end(std::string& out) {
  has_written_end_ = true;
  if (framing_ == Framing::Chunked) {
    out.append("0\r\n").append(trailers_).append("\r\n");
  }
}

void H1Writer::produce(std::string& out, size_t max, bool close, bool keep_alive) {
  if (!has_head_) {
    return;
  }
  if (!has_written_head_) {
    write_head(out, close, keep_alive);
  }
  write_body(out, max);
  if (has_ended_ && !has_written_end_ && !is_cut_ && body_.empty()) {
    write_end(out);
  }
}

}  // namespace transom
