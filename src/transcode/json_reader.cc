#include "transcode/json_reader.h"

#include <utility>

namespace transom {
namespace {

bool is_part_of_word(char c) { return is_digit(c) || (static_cast<uint8_t>((c | 0x20) - 'a') < 26) || c == '_'; }

}  // namespace

void JsonReader::skip_space() {
  while (*at_ == ' ' || *at_ == '\n' || *at_ == '\r' || *at_ == '\t') {
    ++at_;
  }
}

bool JsonReader::read_string(RawString& string) {
  const char* first = at_ + 1;
  const char* p = find_json_special(first);
  string.has_escapes = *p == '\\';
  while (*p == '\\') {
    p = find_json_special(p[1] == '"' || p[1] == '\\' ? p + 2 : p + 1);
  }
  if (*p != '"') {
    return fail(p, p >= end_ ? "the text ends inside a string" : "a control character in a string must be escaped");
  }
  string.text = {first, static_cast<size_t>(p - first)};
  at_ = p + 1;
  return true;
}

bool JsonReader::decode(const RawString& string, std::string& scratch) {
  // Numbers are scanned eight digits at a time, past the end.
  scratch.resize(string.text.size() + 16);
  const char* wrong = nullptr;
  char* end = unescape_json(string.text, scratch.data(), &wrong);
  if (end == nullptr) {
    return fail(wrong, "an escape that JSON does not have, or half of a surrogate pair");
  }
  scratch.resize(static_cast<size_t>(end - scratch.data()));
  return true;
}

bool JsonReader::read_escaped_text(std::string_view& text, std::string& scratch) {
  RawString string;
  if (!read_string(string)) {
    return false;
  }
  text = string.text;
  if (string.has_escapes) {
    if (!decode(string, scratch)) {
      return false;
    }
    text = scratch;
  }
  return true;
}

bool JsonReader::take_literal(std::string_view literal) {
  if (static_cast<size_t>(end_ - at_) < literal.size() || std::memcmp(at_, literal.data(), literal.size()) != 0 ||
      is_part_of_word(at_[literal.size()])) {
    return false;
  }
  at_ += literal.size();
  return true;
}

bool JsonReader::enter() {
  if (++depth_ > depth_max_) {
    return fail(at_, "nested deeper than " + std::to_string(depth_max_) + " objects and arrays");
  }
  return true;
}

bool JsonReader::skip_object() {
  auto object = static_cast<uint32_t>(offset());
  skip();
  if (!enter()) {
    return false;
  }
  bool is_first = true;
  while (!take('}')) {
    if (!is_first && !take(',')) {
      return fail_expected("',' or '}'");
    }
    if (peek() != '"') {
      return fail_expected("a member name");
    }
    bool is_type = types_ != nullptr && take_name("@type");
    RawString name;
    std::string scratch;
    if (!is_type && (!read_string(name) || (name.has_escapes && !decode(name, scratch)))) {
      return false;
    }
    is_type = is_type || (types_ != nullptr && name.has_escapes && scratch == "@type");
    if (!take(':')) {
      return fail_expected("':'");
    }
    peek();
    if (is_type) {
      types_->push_back({object, static_cast<uint32_t>(offset())});
    }
    if (!skip_value()) {
      return false;
    }
    is_first = false;
  }
  leave();
  return true;
}

bool JsonReader::skip_array() {
  skip();
  if (!enter()) {
    return false;
  }
  bool is_first = true;
  while (!take(']')) {
    if (!is_first && !take(',')) {
      return fail_expected("',' or ']'");
    }
    if (!skip_value()) {
      return false;
    }
    is_first = false;
  }
  leave();
  return true;
}

bool JsonReader::skip_value() {
  switch (peek()) {
    case '{':
      return skip_object();
    case '[':
      return skip_array();
    case '"': {
      RawString string;
      std::string scratch;
      return read_string(string) && (!string.has_escapes || decode(string, scratch));
    }
    case 't':
      return take_literal("true") || fail_expected("a value");
    case 'f':
      return take_literal("false") || fail_expected("a value");
    case 'n':
      return take_literal("null") || fail_expected("a value");
    default: {
      Number number;
      if (!scan_number(at_, number)) {
        return fail_expected("a value");
      }
      at_ = number.end;
      return true;
    }
  }
}

std::string_view JsonReader::found() {
  char c = peek();
  switch (c) {
    case '{':
      return "an object";
    case '[':
      return "an array";
    case '"':
      return "a string";
    case '}':
      return "'}'";
    case ']':
      return "']'";
    case ',':
      return "','";
    case ':':
      return "':'";
    default:
      break;
  }
  if (at_ == end_) {
    return "the end of the text";
  }
  for (std::string_view literal : {"true", "false", "null"}) {
    const char* before = at_;
    if (take_literal(literal)) {
      at_ = before;
      return literal == "null" ? "null" : "a boolean";
    }
  }
  Number number;
  if (scan_number(at_, number) && !is_part_of_word(*number.end)) {
    return "a number";
  }
  return c == '-' || is_digit(c) ? "a number that JSON does not have" : "a character that begins no JSON value";
}

bool JsonReader::fail(const char* at, std::string what) {
  if (failed_at_ == nullptr) {
    failed_at_ = at;
    problem_ = std::move(what);
  }
  return false;
}

bool JsonReader::fail_expected(std::string_view what) {
  std::string_view found_there = found();
  return fail(at_, "expected " + std::string(what) + ", found " + std::string(found_there));
}

}  // namespace transom
