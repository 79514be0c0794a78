#include "protocol/json_splitter.h"

#include <algorithm>
#include <utility>

#include "base/limits.h"
#include "base/padded_text.h"

namespace transom {
namespace {

// Elements above are moved instead of copied.
constexpr size_t kCopiedBytesMax = 64 * kKiB;

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// What ends a number or a word.
bool ends_scalar(char c) { return is_blank(c) || std::string_view(",:[]{}\"").find(c) != std::string_view::npos; }

std::string quoted(char c) {
  static constexpr char kDigits[] = "0123456789abcdef";
  if (c > ' ' && c <= '~') {
    return {'`', c, '`'};
  }
  const auto byte = static_cast<unsigned char>(c);
  return {'b', 'y', 't', 'e', ' ', '0', 'x', kDigits[byte >> 4], kDigits[byte & 15]};
}

}  // namespace

void JsonSplitter::add(std::string_view bytes) {
  if (begin_ > 0) {
    text_.erase(0, begin_);
    gone_ += begin_;
    at_ -= begin_;
    begin_ = 0;
  }
  text_.append(bytes);
}

Result<bool> JsonSplitter::next(std::string& element) {
  return place_ == Place::Lines ? next_line(element) : next_value(element);
}

Result<bool> JsonSplitter::next_line(std::string& element) {
  while (begin_ < text_.size()) {
    const size_t found = text_.find('\n', at_);
    const size_t end = found == std::string::npos ? text_.size() : found;
    at_ = end;
    if (Status status = check_size(end - begin_); !status.ok()) {
      return status;
    }
    if (found == std::string::npos && !is_ended_) {
      return false;
    }
    const bool is_empty = std::all_of(text_.begin() + static_cast<ptrdiff_t>(begin_),
                                      text_.begin() + static_cast<ptrdiff_t>(end), is_blank);
    if (is_empty) {
      begin_ = at_ = std::min(end + 1, text_.size());
      continue;
    }
    take(end, element);
    at_ = std::min(at_ + 1, text_.size());
    begin_ = at_;
    return true;
  }
  return false;
}

Result<bool> JsonSplitter::next_value(std::string& element) {
  while (at_ < text_.size() || (is_ended_ && place_ == Place::Inside)) {
    if (place_ == Place::Inside) {
      const bool is_whole = find_end();
      if (Status status = check_size(at_ - begin_); !status.ok()) {
        return status;
      }
      if (!is_whole) {
        break;
      }
      place_ = after_value();
      take(at_, element);
      return true;
    }
    const char c = text_[at_];
    if (is_blank(c)) {
      begin_ = ++at_;
      continue;
    }
    if (Status status = step_between(c); !status.ok()) {
      return status;
    }
  }
  if (is_ended_) {
    if (Status status = check_end(); !status.ok()) {
      return status;
    }
  }
  return false;
}

// One byte between elements: it opens or closes the array, separates, or begins a value.
Status JsonSplitter::step_between(char c) {
  switch (place_) {
    case Place::Start:
      is_array_ = c == '[';
      if (!is_array_) {
        begin_value(c);
        return {};
      }
      place_ = Place::First;
      break;
    case Place::First:
    case Place::Next:
      if (c != ']' || place_ == Place::Next) {
        if (c == ',' || c == ']') {
          return refuse("a value", c);
        }
        begin_value(c);
        return {};
      }
      place_ = Place::Closed;
      break;
    case Place::After:
      if (c != ',' && c != ']') {
        return refuse("`,` or `]`", c);
      }
      place_ = c == ',' ? Place::Next : Place::Closed;
      break;
    case Place::Between:
      begin_value(c);
      return {};
    default:
      return refuse("nothing after the array", c);
  }
  begin_ = ++at_;
  return {};
}

void JsonSplitter::begin_value(char c) {
  begin_ = at_;
  place_ = Place::Inside;
  depth_ = 0;
  is_in_string_ = false;
  if (c == '{' || c == '[') {
    inside_ = Inside::Container;
  } else if (c == '"') {
    inside_ = Inside::Text;
    ++at_;
  } else {
    inside_ = Inside::Scalar;
    ++at_;
  }
}

bool JsonSplitter::find_end() {
  switch (inside_) {
    case Inside::Container:
      return find_end_of_container();
    case Inside::Text:
      return find_end_of_text();
    case Inside::Scalar:
      return find_end_of_scalar();
  }
  return false;
}

// Stands inside a string; after its closing quote when it is found. A backslash at the very end is looked at again.
bool JsonSplitter::find_end_of_text() {
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == '\\') {
      if (at_ + 1 == text_.size()) {
        return false;
      }
      at_ += 2;
      continue;
    }
    ++at_;
    if (c == '"') {
      return true;
    }
  }
  return false;
}

bool JsonSplitter::find_end_of_container() {
  while (at_ < text_.size()) {
    if (is_in_string_) {
      if (!find_end_of_text()) {
        return false;
      }
      is_in_string_ = false;
      continue;
    }
    const char c = text_[at_++];
    if (c == '"') {
      is_in_string_ = true;
    } else if (c == '{' || c == '[') {
      ++depth_;
    } else if ((c == '}' || c == ']') && --depth_ == 0) {
      return true;
    }
  }
  return false;
}

bool JsonSplitter::find_end_of_scalar() {
  while (at_ < text_.size()) {
    if (ends_scalar(text_[at_])) {
      return true;
    }
    ++at_;
  }
  return is_ended_;
}

Status JsonSplitter::check_end() const {
  if (place_ == Place::Inside) {
    return client_error(Code::InvalidArgument, "the body ends inside a value (message " + std::to_string(taken_ + 1) + ")");
  }
  if (is_array_ && place_ != Place::Closed) {
    return client_error(Code::InvalidArgument, "the body ends inside its array, after " + std::to_string(taken_) +
                                                   (taken_ == 1 ? " message" : " messages"));
  }
  return {};
}

Status JsonSplitter::check_size(size_t bytes) const {
  if (bytes <= element_bytes_max_) {
    return {};
  }
  return client_error(Code::ResourceExhausted,
                      "message " + std::to_string(taken_ + 1) + " of the body is over the limit of " +
                          std::to_string(element_bytes_max_) + " bytes",
                      413);
}

Status JsonSplitter::refuse(const std::string& expected, char found) const {
  return client_error(Code::InvalidArgument, "after message " + std::to_string(taken_) + ": expected " + expected +
                                                 ", found " + quoted(found) + " (at byte " +
                                                 std::to_string(gone_ + at_) + " of the body)");
}

void JsonSplitter::take(size_t end, std::string& element) {
  ++taken_;
  if (end - begin_ <= kCopiedBytesMax) {
    element.reserve(end - begin_ + kJsonPaddingBytes);
    element.assign(text_, begin_, end - begin_);
    begin_ = end;
    return;
  }
  std::string rest = text_.substr(end);
  element = std::exchange(text_, std::move(rest));
  element.erase(end);
  element.erase(0, begin_);
  pad_for_json(element);
  gone_ += end;
  begin_ = at_ = 0;
}

}  // namespace transom
