#include "transcode/binding_text.h"

#include <bit>

#include "base/base64.h"
#include "transcode/parse_scalar.h"
#include "transcode/parse_well_known.h"

namespace transom {
namespace {

bool fail(JsonParse& parse, std::string problem) { return parse.in.fail(parse.in.at(), std::move(problem)); }

// text: what the client wrote, which may be anything.
bool fail_expected(JsonParse& parse, const std::string& what, std::string_view text) {
  constexpr size_t kShownBytesMax = 64;
  std::string shown;
  for (char c : text.substr(0, kShownBytesMax)) {
    shown += c < ' ' || c > '~' ? '?' : c;
  }
  return fail(parse, "expected " + what + ", found \"" + shown + (text.size() > kShownBytesMax ? "...\"" : "\""));
}

// A copy that may be scanned past its end.
std::string_view scannable(JsonParse& parse, std::string_view text) {
  parse.scratch.reserve(text.size() + 16);
  parse.scratch = text;
  return parse.scratch;
}

bool enum_bits(JsonParse& parse, const EnumPlan& plan, std::string_view text, uint64_t& bits) {
  const EnumEntry* entry = parse.options.case_insensitive_enums ? plan.find_ignoring_case(text) : plan.find(text);
  if (entry != nullptr) {
    bits = static_cast<uint64_t>(static_cast<int64_t>(entry->number));
    return true;
  }
  Number number;
  bool is_number = scan_whole_number(scannable(parse, text), number) && number.is_plain &&
                   integer_bits(number, Kind::Int32, bits) == nullptr;
  if (is_number && (!plan.is_closed || plan.find(static_cast<int32_t>(bits)) != nullptr)) {
    return true;
  }
  return fail_expected(parse, "a name or number of enum " + std::string(plan.full_name), text);
}

bool float_bits(JsonParse& parse, Kind kind, std::string_view text, uint64_t& bits) {
  Number number;
  double wide = 0;
  float narrow = 0;
  if (parse_named_double(text, wide)) {
    narrow = static_cast<float>(wide);
  } else if (!scan_whole_number(scannable(parse, text), number)) {
    return fail_expected(parse, "a number", text);
  } else if (kind == Kind::Float ? !to_float(number, narrow) : !to_double(number, wide)) {
    return fail(parse, "this number is too large");
  }
  bits = kind == Kind::Float ? std::bit_cast<uint32_t>(narrow) : std::bit_cast<uint64_t>(wide);
  return true;
}

bool text_bits(JsonParse& parse, const FieldPlan& field, std::string_view text, uint64_t& bits) {
  switch (field.kind) {
    case Kind::Bool:
      bits = text == "true" ? 1 : 0;
      return bits == 1 || text == "false" || fail_expected(parse, "true or false", text);
    case Kind::Enum:
      return enum_bits(parse, *field.enumeration, text, bits);
    case Kind::Float:
    case Kind::Double:
      return float_bits(parse, field.kind, text, bits);
    default:
      break;
  }
  Number number;
  if (!scan_whole_number(scannable(parse, text), number) || !number.is_plain) {
    return fail_expected(parse, "a decimal integer", text);
  }
  const char* problem = integer_bits(number, field.kind, bits);
  return problem == nullptr || fail(parse, std::string(problem) + ", found " + std::string(text.substr(0, 40)));
}

bool write_scalar_text(JsonParse& parse, const FieldPlan& field, std::string_view text, bool always) {
  uint64_t bits = 0;
  if (!text_bits(parse, field, text, bits) || !parse.out.reserve(2 * kScalarBytesMax)) {
    return false;
  }
  if (bits == 0 && !always) {
    return true;
  }
  parse.out.tag(field);
  if (!field.is_packed || !field.is_repeated) {
    write_bits(parse.out, field.kind, bits);
    return true;
  }
  // A packed list may come in pieces.
  size_t mark = parse.out.begin();
  write_bits(parse.out, field.kind, bits);
  parse.out.end(mark);
  return true;
}

bool write_bytes_text(JsonParse& parse, const FieldPlan& field, std::string_view text, bool always) {
  std::string decoded;
  if (field.kind == Kind::Bytes) {
    if (!decode_base64(text, decoded)) {
      return fail_expected(parse, "base64", text);
    }
    text = decoded;
  } else if (utf8_valid_bytes(text) != text.size()) {
    return fail(parse, "expected UTF-8");
  }
  if (text.empty() && !always) {
    return true;
  }
  if (!parse.out.reserve(kScalarBytesMax)) {
    return false;
  }
  parse.out.tag(field);
  return write_length_and_bytes(parse, text);
}

bool write_timestamp(JsonParse& parse, std::string_view text) {
  // "+01:00" in a query is read as a space by those who follow HTML forms.
  std::string fixed(text);
  if (fixed.size() > 6 && fixed[fixed.size() - 6] == ' ') {
    fixed[fixed.size() - 6] = '+';
  }
  return write_timestamp_text(parse, fixed, parse.in.at());
}

bool write_message_text(JsonParse& parse, const FieldPlan& field, std::string_view text) {
  if (!parse.out.reserve(kScalarBytesMax)) {
    return false;
  }
  parse.out.tag(field);
  size_t mark = parse.out.begin();
  const char* at = parse.in.at();
  bool ok = false;
  switch (field.message->codec) {
    case Codec::Timestamp:
      ok = write_timestamp(parse, text);
      break;
    case Codec::Duration:
      ok = write_duration_text(parse, text, at);
      break;
    case Codec::FieldMask:
      ok = write_field_mask_text(parse, text, at);
      break;
    case Codec::Wrapper:
      ok = write_binding_text(parse, field.message->fields[0], text, false);
      break;
    default:
      ok = fail(parse, std::string(field.message->full_name) + " cannot be given as text");
      break;
  }
  if (ok) {
    parse.out.end(mark);
  }
  return ok;
}

}  // namespace

bool write_binding_text(JsonParse& parse, const FieldPlan& field, std::string_view text, bool always) {
  switch (field.kind) {
    case Kind::String:
    case Kind::Bytes:
      return write_bytes_text(parse, field, text, always);
    case Kind::Message:
      return write_message_text(parse, field, text);
    case Kind::Group:
      return fail(parse, "groups cannot be given as text");
    default:
      return write_scalar_text(parse, field, text, always);
  }
}

}  // namespace transom
