#include "transcode/parse_list.h"

#include <algorithm>
#include <bit>
#include <span>

#include "transcode/key_set.h"
#include "transcode/parse_message.h"
#include "transcode/parse_scalar.h"
#include "transcode/wire_reader.h"

namespace transom {
namespace {

constexpr size_t kElementsBetweenLooks = 1024;

// What comes between two elements: true to go on, false at the end or when it is wrong (is_end tells).
bool next_element(JsonParse& parse, bool& is_end) {
  char c = parse.in.peek();
  if (c == ',') {
    parse.in.skip();
    return true;
  }
  is_end = c == ']';
  if (!is_end) {
    return parse.in.fail_expected("',' or ']'");
  }
  parse.in.skip();
  return false;
}

// The loop that tensors spend their time in. After '['; the list is not empty.
bool parse_floats(JsonParse& parse) {
  JsonReader& in = parse.in;
  bool is_end = false;
  size_t index = 0;
  do {
    if (index % kElementsBetweenLooks == 0 && !parse.go_on()) {
      return false;
    }
    if (!parse.out.reserve(sizeof(float))) {
      return false;
    }
    in.peek();
    Number number;
    float value = 0;
    if (scan_number(in.at(), number) && to_float(number, value)) [[likely]] {
      in.set_at(number.end);
    } else if (!read_float(parse, value)) {
      return parse.leave_element(index);
    }
    parse.out.fixed32(std::bit_cast<uint32_t>(value));
    ++index;
  } while (next_element(parse, is_end));
  return is_end;
}

bool is_integer(Kind kind) {
  return kind != Kind::Double && kind != Kind::Float && kind != Kind::Bool && kind != Kind::Enum;
}

// Likewise for integers, written as such.
bool parse_integers(JsonParse& parse, const FieldPlan& field) {
  JsonReader& in = parse.in;
  const IntegerLimits limits = integer_limits(field.kind);
  const bool is_zigzag = field.kind == Kind::Sint32 || field.kind == Kind::Sint64;
  bool is_end = false;
  size_t index = 0;
  do {
    if ((index % kElementsBetweenLooks == 0 && !parse.go_on()) || !parse.out.reserve(kScalarBytesMax)) {
      return false;
    }
    in.peek();
    Number number;
    uint64_t bits = 0;
    if (scan_number(in.at(), number) && number.is_plain && number.is_exact &&
        number.digits <= (number.is_negative ? limits.negative : limits.positive)) [[likely]] {
      in.set_at(number.end);
      bits = number.is_negative ? 0 - number.digits : number.digits;
      bits = is_zigzag ? zigzag(bits) : bits;
    } else if (!read_bits(parse, field, bits)) {
      return parse.leave_element(index);
    }
    write_bits(parse.out, field.kind, bits);
    ++index;
  } while (next_element(parse, is_end));
  return is_end;
}

bool parse_packed(JsonParse& parse, const FieldPlan& field) {
  bool is_end = false;
  size_t index = 0;
  do {
    if ((index % kElementsBetweenLooks == 0 && !parse.go_on()) || !parse.out.reserve(kScalarBytesMax)) {
      return false;
    }
    uint64_t bits = 0;
    if (!read_bits(parse, field, bits)) {
      return parse.leave_element(index);
    }
    if (!parse.is_dropped) {
      write_bits(parse.out, field.kind, bits);
    }
    parse.is_dropped = false;
    ++index;
  } while (next_element(parse, is_end));
  return is_end;
}

bool parse_element(JsonParse& parse, const FieldPlan& field) {
  if (field.kind != Kind::Message) {
    bool ok = parse_scalar(parse, field, true);
    parse.is_dropped = false;
    return ok;
  }
  if (parse.in.peek() == 'n' && field.message->codec != Codec::Value) {
    return parse.in.fail_expected("an element");
  }
  if (!parse.out.reserve(kScalarBytesMax)) {
    return false;
  }
  parse.out.tag(field);
  size_t mark = parse.out.begin();
  if (!parse_message(parse, *field.message, Bound())) {
    return false;
  }
  parse.out.end(mark);
  return true;
}

bool parse_elements(JsonParse& parse, const FieldPlan& field) {
  bool is_end = false;
  size_t index = 0;
  do {
    if (index % kElementsBetweenLooks == 0 && !parse.go_on()) {
      return false;
    }
    if (!parse_element(parse, field)) {
      return parse.leave_element(index);
    }
    ++index;
  } while (next_element(parse, is_end));
  return is_end;
}

// The key between two quotes, as the key field of an entry.
bool write_map_key(JsonParse& parse, const FieldPlan& key, std::string_view text, const char* at) {
  WireWriter& out = parse.out;
  if (key.kind == Kind::String) {
    if (!out.reserve(kScalarBytesMax)) {
      return false;
    }
    out.tag(key);
    parse.keys.back() = static_cast<uint32_t>(out.position());
    return write_length_and_bytes(parse, text);
  }
  uint64_t bits = 0;
  if (key.kind == Kind::Bool) {
    bits = text == "true" ? 1 : 0;
    if (bits == 0 && text != "false") {
      return parse.in.fail(at, "expected a map key of true or false");
    }
  } else {
    Number number;
    if (!scan_whole_number(text, number) || !number.is_plain) {
      return parse.in.fail(at, "expected a map key that is an integer");
    }
    if (const char* problem = integer_bits(number, key.kind, bits); problem != nullptr) {
      return parse.in.fail(at, std::string(problem) + ", found " + std::string(text.substr(0, 40)));
    }
  }
  if (!out.reserve(kScalarBytesMax)) {
    return false;
  }
  out.tag(key);
  parse.keys.back() = static_cast<uint32_t>(out.position());
  write_bits(out, key.kind, bits);
  return true;
}

// The bytes of a key that write_map_key wrote.
std::string_view key_bytes(const WireWriter& out, uint32_t position, Kind kind) {
  const char* at = out.peek(position);
  if (is_fixed32(kind)) {
    return {at, 4};
  }
  if (is_fixed64(kind)) {
    return {at, 8};
  }
  const char* end = at;
  uint64_t value = read_valid_varint(end);
  return kind == Kind::String ? std::string_view(end, value) : std::string_view(at, static_cast<size_t>(end - at));
}

// In the order in which they came, or by 64 bits made of each.
bool may_repeat_key(JsonParse& parse, std::span<const uint32_t> keys, Kind kind) {
  std::string_view prior;
  size_t at = 0;
  for (; at < keys.size(); ++at) {
    std::string_view key = key_bytes(parse.out, keys[at], kind);
    if (at > 0 && !is_key_after(key, prior)) {
      break;
    }
    prior = key;
  }
  if (at == keys.size()) {
    return false;
  }
  KeySet set(parse.key_tables, keys.size());
  return !std::all_of(keys.begin(), keys.end(),
                      [&](uint32_t key) { return set.add(fingerprint_of(key_bytes(parse.out, key, kind))); });
}

// Whether two entries of the map whose keys these are have one key. May sort them.
bool has_duplicate_key(JsonParse& parse, std::span<uint32_t> keys, Kind kind, uint32_t& position) {
  if (!may_repeat_key(parse, keys, kind)) {
    return false;
  }
  const auto bytes = [&](uint32_t key) { return key_bytes(parse.out, key, kind); };
  std::sort(keys.begin(), keys.end(), [&](uint32_t a, uint32_t b) { return bytes(a) < bytes(b); });
  auto twice = std::adjacent_find(keys.begin(), keys.end(), [&](uint32_t a, uint32_t b) { return bytes(a) == bytes(b); });
  if (twice == keys.end()) {
    return false;
  }
  position = *twice;
  return true;
}

bool parse_entry_value(JsonParse& parse, const FieldPlan& value) {
  if (parse.in.peek() == 'n' && !takes_null(value)) {
    return parse.in.fail_expected("a map value");
  }
  return value.kind == Kind::Message ? parse_field(parse, value, Bound()) : parse_scalar(parse, value, true);
}

bool parse_entry(JsonParse& parse, const FieldPlan& field) {
  JsonReader& in = parse.in;
  if (in.peek() != '"') {
    return in.fail_expected("a map key");
  }
  const char* key_at = in.at();
  RawString raw;
  std::string decoded;
  if (!in.read_string(raw) || (raw.has_escapes && !in.decode(raw, decoded)) || !parse.out.reserve(kScalarBytesMax)) {
    return false;
  }
  std::string_view key = raw.has_escapes ? decoded : raw.text;
  WireWriter::Saved before = parse.out.save();
  parse.out.tag(field);
  size_t mark = parse.out.begin();
  parse.keys.push(0);
  if (!write_map_key(parse, field.message->fields[0], key, key_at)) {
    return parse.leave_key(key);
  }
  if (!in.take(':')) {
    return in.fail_expected("':'");
  }
  if (!parse_entry_value(parse, field.message->fields[1])) {
    return parse.leave_key(key);
  }
  if (parse.is_dropped) {
    parse.is_dropped = false;
    parse.out.restore(before);
    parse.keys.pop_to(parse.keys.size() - 1);
    return true;
  }
  parse.out.end(mark);
  return true;
}

}  // namespace

bool parse_list(JsonParse& parse, const FieldPlan& field) {
  JsonReader& in = parse.in;
  if (in.peek() != '[') {
    return in.fail_expected("an array");
  }
  if (field.kind == Kind::Group) {
    return in.fail(in.at(), "groups have no JSON form");
  }
  if (!in.enter()) {
    return false;
  }
  in.skip();
  bool ok = true;
  if (in.peek() == ']') {
    in.skip();
  } else if (field.is_packed && is_packable(field.kind)) {
    if (!parse.out.reserve(kScalarBytesMax)) {
      return false;
    }
    parse.out.tag(field);
    size_t mark = parse.out.begin();
    ok = field.kind == Kind::Float   ? parse_floats(parse)
         : is_integer(field.kind) ? parse_integers(parse, field)
                                  : parse_packed(parse, field);
    if (ok) {
      parse.out.end(mark);
    }
  } else {
    ok = parse_elements(parse, field);
  }
  in.leave();
  return ok;
}

bool parse_map(JsonParse& parse, const FieldPlan& field) {
  JsonReader& in = parse.in;
  if (in.peek() != '{') {
    return in.fail_expected("an object");
  }
  const char* begin = in.at();
  if (!in.enter()) {
    return false;
  }
  in.skip();
  ++parse.message_levels;
  size_t base = parse.keys.size();
  size_t entries = 0;
  for (bool is_first = true; !in.take('}'); is_first = false) {
    if (!is_first && !in.take(',')) {
      return in.fail_expected("',' or '}'");
    }
    if ((++entries % kElementsBetweenLooks == 0 && !parse.go_on()) || !parse_entry(parse, field)) {
      return false;
    }
  }
  uint32_t duplicate = 0;
  const FieldPlan& key = field.message->fields[0];
  if (parse.options.strictness.of(Slip::DuplicateKey) != Verdict::Ignore &&
      has_duplicate_key(parse, {parse.keys.begin() + base, parse.keys.end()}, key.kind, duplicate) && !parse.tolerates(Slip::DuplicateKey)) {
    in.fail(begin, "this object has a key twice");
    return key.kind == Kind::String && parse.leave_key(key_bytes(parse.out, duplicate, key.kind));
  }
  parse.keys.pop_to(base);
  --parse.message_levels;
  in.leave();
  return true;
}

}  // namespace transom
