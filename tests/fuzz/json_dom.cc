#include "fuzz/json_dom.h"

#include <simdjson.h>

#include <cmath>
#include <set>

namespace transom {
namespace {

using simdjson::dom::element;
using simdjson::dom::element_type;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Integers that may not fit 64 bits get ".0", so that they are read as doubles. What is not JSON stays so.
std::string with_long_integers_as_doubles(std::string_view text) {
  constexpr size_t kFits = 18;
  std::string out;
  bool is_string = false;
  for (size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (is_string && c == '\\') {
      out += text.substr(at, 2);
      at += 2;
      continue;
    }
    is_string = is_string != (c == '"');
    size_t end = at + 1;
    while (!is_string && is_digit(c) && end < text.size() && is_digit(text[end])) {
      ++end;
    }
    out += text.substr(at, end - at);
    const char before = at == 0 ? ' ' : text[at - 1];
    const char before_sign = at < 2 ? ' ' : text[at - 2];
    const bool is_integer = before != '.' && before != 'e' && before != 'E' && before != '+' && before_sign != 'e' &&
                            before_sign != 'E' && (end == text.size() || std::string_view(".eE").find(text[end]) == std::string_view::npos);
    out += end - at > kFits && is_integer ? ".0" : "";
    at = end;
  }
  return out;
}

void look_over(const element& value, int depth, JsonShape& shape) {
  if (value.is_object() || value.is_array()) {
    shape.depth = std::max(shape.depth, depth + 1);
  }
  if (value.is_array()) {
    for (const element& each : value.get_array()) {
      look_over(each, depth + 1, shape);
    }
  }
  if (value.is_object()) {
    std::set<std::string_view> keys;
    for (const auto& member : value.get_object()) {
      shape.has_duplicate_keys = !keys.insert(member.key).second || shape.has_duplicate_keys;
      look_over(member.value, depth + 1, shape);
    }
  }
}

bool parse(simdjson::dom::parser& parser, std::string_view text, element& value) {
  // Not JSON (RFC 8259 section 8.1), whatever a version of simdjson does.
  if (text.starts_with("\xef\xbb\xbf")) {
    return false;
  }
  auto code = parser.parse(simdjson::padded_string(text)).get(value);
  if (code == simdjson::NUMBER_ERROR) {
    code = parser.parse(simdjson::padded_string(with_long_integers_as_doubles(text))).get(value);
  }
  return code == simdjson::SUCCESS;
}

bool are_same_numbers(double a, double b) {
  return a == b || std::abs(a - b) <= std::abs(a) * 1.2e-7 || static_cast<float>(a) == static_cast<float>(b);
}

std::string compare(const element& a, const element& b, const std::string& path);

std::string compare_objects(const element& a, const element& b, const std::string& path) {
  const auto left = a.get_object().value();
  const auto right = b.get_object().value();
  if (left.size() != right.size()) {
    return path + ": " + std::to_string(left.size()) + " members, " + std::to_string(right.size());
  }
  for (const auto& member : left) {
    element other;
    if (right.at_key(member.key).get(other) != simdjson::SUCCESS) {
      return path + ": only one has " + std::string(member.key);
    }
    if (std::string found = compare(member.value, other, path + "." + std::string(member.key)); !found.empty()) {
      return found;
    }
  }
  return "";
}

std::string compare_arrays(const element& a, const element& b, const std::string& path) {
  const auto left = a.get_array().value();
  const auto right = b.get_array().value();
  if (left.size() != right.size()) {
    return path + ": " + std::to_string(left.size()) + " elements, " + std::to_string(right.size());
  }
  auto other = right.begin();
  for (const element& each : left) {
    if (std::string found = compare(each, *other, path + "[]"); !found.empty()) {
      return found;
    }
    ++other;
  }
  return "";
}

std::string compare(const element& a, const element& b, const std::string& path) {
  if (a.is_number() && b.is_number()) {
    return are_same_numbers(a.get_double(), b.get_double()) ? "" : path + ": other numbers";
  }
  if (a.type() != b.type()) {
    return path + ": values of two types";
  }
  switch (a.type()) {
    case element_type::OBJECT:
      return compare_objects(a, b, path);
    case element_type::ARRAY:
      return compare_arrays(a, b, path);
    case element_type::STRING:
      return a.get_string().value() == b.get_string().value() ? "" : path + ": other strings";
    case element_type::BOOL:
      return a.get_bool().value() == b.get_bool().value() ? "" : path + ": other bools";
    default:
      return "";
  }
}

}  // namespace

JsonShape shape_of_json(std::string_view text) {
  simdjson::dom::parser parser;
  JsonShape shape;
  element value;
  shape.is_valid = parse(parser, text, value);
  if (shape.is_valid) {
    look_over(value, 0, shape);
  }
  return shape;
}

std::string difference_of_json(std::string_view a, std::string_view b) {
  simdjson::dom::parser left_parser;
  simdjson::dom::parser right_parser;
  element left;
  element right;
  if (!parse(left_parser, a, left) || !parse(right_parser, b, right)) {
    return "one is not JSON";
  }
  return compare(left, right, "$");
}

}  // namespace transom
