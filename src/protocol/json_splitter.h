// JsonSplitter cuts a client's stream of JSON values into its elements, however the bytes are cut: lines (NDJSON), the
// elements of one array, or values one after the other. It finds where an element ends and checks what stands between
// two; what is inside is the parser's to check. It holds what was added and not yet taken, so that who feeds it bounds
// it; one element alone may be larger, up to the bound. Pure; one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"

namespace transom {

enum class JsonForm : uint8_t {
  Lines,   // application/x-ndjson: a line each; empty ones are passed over
  Values,  // application/json: an array if the first byte is `[`, else a sequence of values
};

class JsonSplitter {
 public:
  JsonSplitter(JsonForm form, size_t element_bytes_max)
      : element_bytes_max_(element_bytes_max), place_(form == JsonForm::Lines ? Place::Lines : Place::Start) {}

  void add(std::string_view bytes);
  // No more will be added.
  void end() { is_ended_ = true; }
  // True when there was one: its text, padded for the parser. INVALID_ARGUMENT: what stands between two elements is
  // wrong, or the body ends inside one; RESOURCE_EXHAUSTED (413): one is over the bound. Nothing follows a failure.
  Result<bool> next(std::string& element);

  // It has ended, and every element was taken.
  bool is_done() const { return is_ended_ && begin_ == text_.size() && place_ != Place::Inside; }
  // Elements taken so far.
  uint64_t taken() const { return taken_; }
  size_t held_bytes() const { return text_.size() - begin_; }

 private:
  enum class Place : uint8_t { Lines, Start, First, Next, Inside, After, Between, Closed };
  enum class Inside : uint8_t { Container, Text, Scalar };

  Result<bool> next_line(std::string& element);
  Result<bool> next_value(std::string& element);
  Status step_between(char c);
  void begin_value(char c);
  // Scans on; true when the value is complete, its end at at_.
  bool find_end();
  bool find_end_of_text();
  bool find_end_of_container();
  bool find_end_of_scalar();
  Status check_end() const;
  Status check_size(size_t bytes) const;
  Status refuse(const std::string& expected, char found) const;
  void take(size_t end, std::string& element);
  Place after_value() const { return is_array_ ? Place::After : Place::Between; }

  const size_t element_bytes_max_;
  std::string text_;     // from begin_ on: not yet taken
  size_t begin_ = 0;     // of the element, or of what is still to be looked at
  size_t at_ = 0;        // looked at up to here
  uint64_t gone_ = 0;    // bytes of the body before text_
  uint64_t taken_ = 0;
  Place place_;
  Inside inside_ = Inside::Scalar;
  size_t depth_ = 0;
  bool is_in_string_ = false;  // of a container
  bool is_array_ = false;
  bool is_ended_ = false;
};

}  // namespace transom
