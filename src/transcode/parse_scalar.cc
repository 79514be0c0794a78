#include "transcode/parse_scalar.h"

#include <bit>
#include <limits>
#include <utility>

#include "base/base64.h"

namespace transom {
namespace {

struct IntegerRange {
  bool is_signed;
  uint64_t max;
  const char* problem;
};

IntegerRange range_of(Kind kind) {
  constexpr uint64_t kInt32Max = 0x7fffffff;
  constexpr uint64_t kInt64Max = 0x7fffffffffffffff;
  switch (kind) {
    case Kind::Uint32:
    case Kind::Fixed32:
      return {false, 0xffffffff, "expected an integer from 0 to 4294967295"};
    case Kind::Uint64:
    case Kind::Fixed64:
      return {false, std::numeric_limits<uint64_t>::max(), "expected an integer from 0 to 18446744073709551615"};
    case Kind::Int64:
    case Kind::Sint64:
    case Kind::Sfixed64:
      return {true, kInt64Max, "expected an integer from -9223372036854775808 to 9223372036854775807"};
    default:
      return {true, kInt32Max, "expected an integer from -2147483648 to 2147483647"};
  }
}

// At a number or a string that holds one. When named is given, "NaN" and its like are taken too; the number is then
// empty.
bool read_number(JsonParse& parse, Number& number, double* named) {
  JsonReader& in = parse.in;
  char c = in.peek();
  const char* begin = in.at();
  if (c == '"') {
    std::string_view text;
    if (!in.read_text(text, parse.scratch)) {
      return false;
    }
    if (scan_whole_number(text, number)) {
      return true;
    }
    if (named != nullptr && parse_named_double(text, *named)) {
      number = Number();
      return true;
    }
    in.set_at(begin);
    return in.fail_expected("a number");
  }
  if (!scan_number(begin, number)) {
    if (c == '-' || is_digit(c)) {
      return in.fail(number.end, "a number that JSON does not have");
    }
    return in.fail_expected("a number");
  }
  in.set_at(number.end);
  return true;
}

std::string shown(const Number& number) { return std::string(number.text().substr(0, 40)); }

bool read_integer(JsonParse& parse, Kind kind, uint64_t& bits) {
  parse.in.peek();
  const char* begin = parse.in.at();
  Number number;
  if (!read_number(parse, number, nullptr)) {
    return false;
  }
  if (const char* problem = integer_bits(number, kind, bits); problem != nullptr) {
    return parse.in.fail(begin, std::string(problem) + ", found " + shown(number));
  }
  return true;
}

bool read_bool(JsonParse& parse, uint64_t& bits) {
  JsonReader& in = parse.in;
  char c = in.peek();
  bits = c == 't' ? 1 : 0;
  return in.take_literal(c == 't' ? "true" : "false") || in.fail_expected("true or false");
}

bool drop_or_fail(JsonParse& parse, const char* at, std::string_view text, const EnumPlan& plan) {
  if (parse.tolerates(Slip::UnknownField)) {
    parse.is_dropped = true;
    return true;
  }
  std::string problem("\"");
  problem += text.substr(0, 80);
  problem += "\" is no value of enum ";
  problem += plan.full_name;
  return parse.in.fail(at, std::move(problem));
}

bool parse_string(JsonParse& parse, const FieldPlan& field, bool always) {
  JsonReader& in = parse.in;
  if (in.peek() != '"') {
    return in.fail_expected("a string");
  }
  RawString raw;
  if (!in.read_string(raw)) {
    return false;
  }
  size_t bytes = raw.text.size();
  if (!parse.out.reserve(kScalarBytesMax + bytes)) {
    return false;
  }
  if (bytes == 0 && !always) {
    return true;
  }
  parse.out.tag(field);
  if (!raw.has_escapes) {
    parse.out.varint(bytes);
    parse.out.bytes(raw.text);
    return true;
  }
  // Decoded in place, behind room for the longest length it can have.
  char* length_at = parse.out.at();
  char* target = length_at + varint_bytes(bytes);
  const char* wrong = nullptr;
  char* end = unescape_json(raw.text, target, &wrong);
  if (end == nullptr) {
    return in.fail(wrong, "an escape that JSON does not have, or half of a surrogate pair");
  }
  size_t decoded = static_cast<size_t>(end - target);
  char* begin = write_varint(length_at, decoded);
  if (begin != target) {
    std::memmove(begin, target, decoded);
  }
  parse.out.set_at(begin + decoded);
  return true;
}

bool parse_bytes(JsonParse& parse, const FieldPlan& field, bool always) {
  JsonReader& in = parse.in;
  if (in.peek() != '"') {
    return in.fail_expected("a string of base64");
  }
  const char* begin = in.at();
  std::string_view text;
  if (!in.read_text(text, parse.scratch)) {
    return false;
  }
  const size_t bytes = decoded_base64_bytes(text);
  const bool is_written = bytes != 0 || always;
  if (!parse.out.reserve(kScalarBytesMax + bytes)) {
    return false;
  }
  if (is_written) {
    parse.out.tag(field);
    parse.out.varint(bytes);
  }
  char* end = decode_base64_to(text, parse.out.at());
  if (end == nullptr) {
    return in.fail(begin, "expected a string of base64");
  }
  parse.out.set_at(end);
  return true;
}

}  // namespace

bool scan_whole_number(std::string_view text, Number& number) {
  return scan_number(text.data(), number) && number.end == text.data() + text.size();
}

bool parse_named_double(std::string_view text, double& value) {
  if (text == "NaN") {
    value = std::numeric_limits<double>::quiet_NaN();
  } else if (text == "Infinity") {
    value = std::numeric_limits<double>::infinity();
  } else if (text == "-Infinity") {
    value = -std::numeric_limits<double>::infinity();
  } else {
    return false;
  }
  return true;
}

IntegerLimits integer_limits(Kind kind) {
  const IntegerRange range = range_of(kind);
  return {range.max, range.is_signed ? range.max + 1 : 0};
}

const char* integer_bits(const Number& number, Kind kind, uint64_t& bits) {
  IntegerRange range = range_of(kind);
  uint64_t magnitude = 0;
  switch (to_magnitude(number, magnitude)) {
    case Integral::HasFraction:
      return "expected an integer";
    case Integral::TooLarge:
      return range.problem;
    case Integral::Yes:
      break;
  }
  if (number.is_negative ? magnitude > (range.is_signed ? range.max + 1 : 0) : magnitude > range.max) {
    return range.problem;
  }
  bits = number.is_negative ? -magnitude : magnitude;
  if (kind == Kind::Sint32 || kind == Kind::Sint64) {
    bits = zigzag(bits);
  }
  return nullptr;
}

bool read_double(JsonParse& parse, double& value) {
  parse.in.peek();
  const char* begin = parse.in.at();
  Number number;
  if (!read_number(parse, number, &value)) {
    return false;
  }
  return number.begin == nullptr || to_double(number, value) ||
         parse.in.fail(begin, "too large for a double: " + shown(number));
}

bool read_float(JsonParse& parse, float& value) {
  parse.in.peek();
  const char* begin = parse.in.at();
  Number number;
  double named = 0;
  if (!read_number(parse, number, &named)) {
    return false;
  }
  if (number.begin == nullptr) {
    value = static_cast<float>(named);
    return true;
  }
  return to_float(number, value) || parse.in.fail(begin, "too large for a float: " + shown(number));
}

bool read_enum(JsonParse& parse, const EnumPlan& plan, int32_t& value) {
  JsonReader& in = parse.in;
  char c = in.peek();
  const char* begin = in.at();
  if (c == '"') {
    std::string_view text;
    if (!in.read_text(text, parse.scratch)) {
      return false;
    }
    const EnumEntry* entry = parse.options.case_insensitive_enums ? plan.find_ignoring_case(text) : plan.find(text);
    if (entry == nullptr) {
      return drop_or_fail(parse, begin, text, plan);
    }
    value = entry->number;
    return true;
  }
  if (c == 'n' && plan.is_null_value) {
    value = 0;
    return in.take_literal("null") || in.fail_expected("null");
  }
  if (c != '-' && !is_digit(c)) {
    return in.fail_expected("a name or number of enum " + std::string(plan.full_name));
  }
  uint64_t bits = 0;
  if (!read_integer(parse, Kind::Int32, bits)) {
    return false;
  }
  value = static_cast<int32_t>(bits);
  // A closed enum has no room for a number without a name: the replica would not see the field (proto2).
  if (plan.is_closed && plan.find(value) == nullptr) {
    return drop_or_fail(parse, begin, std::to_string(value), plan);
  }
  return true;
}

bool read_bits(JsonParse& parse, const FieldPlan& field, uint64_t& bits) {
  switch (field.kind) {
    case Kind::Float: {
      float value = 0;
      bool ok = read_float(parse, value);
      bits = std::bit_cast<uint32_t>(value);
      return ok;
    }
    case Kind::Double: {
      double value = 0;
      bool ok = read_double(parse, value);
      bits = std::bit_cast<uint64_t>(value);
      return ok;
    }
    case Kind::Bool:
      return read_bool(parse, bits);
    case Kind::Enum: {
      int32_t value = 0;
      bool ok = read_enum(parse, *field.enumeration, value);
      bits = static_cast<uint64_t>(static_cast<int64_t>(value));
      return ok;
    }
    default:
      return read_integer(parse, field.kind, bits);
  }
}

bool parse_scalar(JsonParse& parse, const FieldPlan& field, bool always) {
  if (field.kind == Kind::String) {
    return parse_string(parse, field, always);
  }
  if (field.kind == Kind::Bytes) {
    return parse_bytes(parse, field, always);
  }
  uint64_t bits = 0;
  if (!read_bits(parse, field, bits) || !parse.out.reserve(kScalarBytesMax)) {
    return false;
  }
  if ((bits != 0 || always) && !parse.is_dropped) {
    parse.out.tag(field);
    write_bits(parse.out, field.kind, bits);
  }
  return true;
}

bool write_length_and_bytes(JsonParse& parse, std::string_view bytes) {
  if (!parse.out.reserve(kVarintBytesMax + bytes.size())) {
    return false;
  }
  parse.out.varint(bytes.size());
  parse.out.bytes(bytes);
  return true;
}

}  // namespace transom
