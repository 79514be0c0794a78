// JsonReader walks JSON text (RFC 8259, nothing lenient) one token at a time, and remembers where and why it stopped.
// The text is padded (base/padded_text.h) and known to be UTF-8; views into it live as long as it does.
// simdjson checks the UTF-8; the walk is our own since a plan says what comes next, and since it needs no index of the
// text beside it: see benchmarks/README.md for what that is worth. A local variable of one transcoding.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/small_bytes.h"
#include "transcode/json_number.h"
#include "transcode/json_text.h"

namespace transom {

class JsonReader {
 public:
  // depth_max: objects and arrays, the outermost is 1.
  JsonReader(std::string_view text, int depth_max)
      : begin_(text.data()), at_(begin_), end_(begin_ + text.size()), depth_max_(depth_max) {}

  // The first character that is not white space, where at() then stands; NUL at the end.
  char peek() {
    if (static_cast<uint8_t>(*at_) <= ' ') {
      skip_space();
    }
    return *at_;
  }
  void skip() { ++at_; }
  // Takes c if it comes next.
  bool take(char c) {
    if (peek() != c) {
      return false;
    }
    ++at_;
    return true;
  }
  const char* at() const { return at_; }
  void set_at(const char* at) { at_ = at; }
  bool is_at_end() {
    peek();
    return at_ == end_;
  }

  // At an opening quote: takes the string if it is exactly this, without escapes.
  bool take_name(std::string_view name) {
    size_t n = name.size();
    if (static_cast<size_t>(end_ - at_) < n + 2 || at_[n + 1] != '"' || !equal_bytes(at_ + 1, name.data(), n)) {
      return false;
    }
    at_ += n + 2;
    return true;
  }
  // At an opening quote.
  bool read_string(RawString& string);
  // Likewise, decoded: a view of the text, or of scratch when there are escapes. It may be scanned as a number.
  bool read_text(std::string_view& text, std::string& scratch) {
    const char* first = at_ + 1;
    const char* p = find_json_special(first);
    if (*p != '"') [[unlikely]] {
      return read_escaped_text(text, scratch);
    }
    text = {first, static_cast<size_t>(p - first)};
    at_ = p + 1;
    return true;
  }
  // Decodes what read_string gave.
  bool decode(const RawString& string, std::string& scratch);
  // Takes the literal if it comes next and nothing is glued to it.
  bool take_literal(std::string_view literal);
  // Reads past any value and checks it like one that is used.
  bool skip_value();

  // Each object and array is entered and left; false, and failed, above the bound.
  bool enter();
  void leave() { --depth_; }
  int depth() const { return depth_; }

  // What stands at at(): "a string", "an object" ...
  std::string_view found();
  // Keeps the first problem; always false.
  bool fail(const char* at, std::string what);
  // "expected WHAT, found ..." at at().
  bool fail_expected(std::string_view what);
  bool has_failed() const { return failed_at_ != nullptr; }
  const std::string& problem() const { return problem_; }
  size_t problem_offset() const { return static_cast<size_t>(failed_at_ - begin_); }
  size_t offset() const { return static_cast<size_t>(at_ - begin_); }

  // While not null, skip_value notes where each "@type" member's value stands, by the object it is in.
  struct TypeMember {
    uint32_t object;
    uint32_t value;
  };
  void note_types(std::vector<TypeMember>* types) { types_ = types; }

 private:
  bool read_escaped_text(std::string_view& text, std::string& scratch);
  void skip_space();
  bool skip_object();
  bool skip_array();

  const char* begin_;
  const char* at_;
  const char* end_;
  const int depth_max_;
  int depth_ = 0;
  const char* failed_at_ = nullptr;
  std::string problem_;
  std::vector<TypeMember>* types_ = nullptr;
};

}  // namespace transom
