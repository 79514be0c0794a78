#include "transcode/parse_well_known.h"

#include <algorithm>

#include "schema/schema.h"
#include "transcode/field_mask_text.h"
#include "transcode/parse_list.h"
#include "transcode/parse_message.h"
#include "transcode/parse_scalar.h"
#include "transcode/time_text.h"

namespace transom {
namespace {

// Tags of google/protobuf's own files; their field numbers are the same for ever.
constexpr uint8_t kFirstVarint = 0x08;   // field 1: seconds
constexpr uint8_t kSecondVarint = 0x10;  // field 2: nanos
constexpr uint8_t kFirstBytes = 0x0a;    // field 1: a mask's path, an Any's type_url
constexpr uint8_t kSecondBytes = 0x12;   // field 2: an Any's value

bool write_moment(JsonParse& parse, Moment moment) {
  if (!parse.out.reserve(2 * kScalarBytesMax)) {
    return false;
  }
  if (moment.seconds != 0) {
    parse.out.byte(kFirstVarint);
    parse.out.varint(static_cast<uint64_t>(moment.seconds));
  }
  if (moment.nanos != 0) {
    parse.out.byte(kSecondVarint);
    parse.out.varint(static_cast<uint64_t>(static_cast<int64_t>(moment.nanos)));
  }
  return true;
}

// A string, handed to one of the text forms.
bool parse_text(JsonParse& parse, const char* what, bool (*write)(JsonParse&, std::string_view, const char*)) {
  JsonReader& in = parse.in;
  if (in.peek() != '"') {
    return in.fail_expected(what);
  }
  const char* begin = in.at();
  std::string_view text;
  return in.read_text(text, parse.scratch) && write(parse, text, begin);
}

bool parse_value(JsonParse& parse, const MessagePlan& plan) {
  JsonReader& in = parse.in;
  char c = in.peek();
  if (c == 'n') {
    if (!in.take_literal("null")) {
      return in.fail_expected("a value");
    }
    if (!parse.out.reserve(kScalarBytesMax)) {
      return false;
    }
    parse.out.tag(plan.fields[0]);
    parse.out.varint(0);
    return true;
  }
  size_t index = c == '"' ? 2 : c == 't' || c == 'f' ? 3 : c == '{' ? 4 : c == '[' ? 5 : 1;
  if (index == 1 && c != '-' && !is_digit(c)) {
    return in.fail_expected("a value");
  }
  return parse_field(parse, plan.fields[index], Bound());
}

// Where the "@type" of the object at `object` has its value, or nullptr. Looks through the text only once, also for
// what is nested in it, so that Any in Any costs no more than its length.
const char* find_type(JsonParse& parse, const char* object, uint32_t object_offset) {
  JsonReader& in = parse.in;
  if (object_offset < parse.types_begin || object_offset >= parse.types_end) {
    parse.types.clear();
    in.note_types(&parse.types);
    in.set_at(object);
    bool ok = in.skip_value();
    in.note_types(nullptr);
    if (!ok) {
      return nullptr;
    }
    parse.types_begin = object_offset;
    parse.types_end = static_cast<uint32_t>(in.offset());
    std::stable_sort(parse.types.begin(), parse.types.end(),
                     [](const auto& a, const auto& b) { return a.object < b.object; });
    in.set_at(object);
  }
  auto found = std::lower_bound(parse.types.begin(), parse.types.end(), object_offset,
                                [](const auto& member, uint32_t offset) { return member.object < offset; });
  if (found == parse.types.end() || found->object != object_offset) {
    in.set_at(object);
    in.fail(object, "expected an object with \"@type\"");
    return nullptr;
  }
  return object + (found->value - object_offset);
}

// At the value of "@type": writes type_url and finds the plan.
const MessagePlan* parse_type(JsonParse& parse, const MessagePlan& any) {
  JsonReader& in = parse.in;
  if (in.peek() != '"') {
    in.fail_expected("a type URL");
    return nullptr;
  }
  const char* begin = in.at();
  std::string_view url;
  if (!in.read_text(url, parse.scratch)) {
    return nullptr;
  }
  size_t slash = url.rfind('/');
  const MessagePlan* plan =
      slash == std::string_view::npos || slash == 0 ? nullptr : any.schema->find_message(url.substr(slash + 1));
  if (plan == nullptr) {
    in.fail(begin, "no such type: " + std::string(url.substr(0, 120)));
    return nullptr;
  }
  if (!parse.out.reserve(kScalarBytesMax)) {
    return nullptr;
  }
  parse.out.byte(kFirstBytes);
  return write_length_and_bytes(parse, url) ? plan : nullptr;
}

// After '{': the members of an Any whose type has a JSON form of its own: "@type" and "value".
bool parse_any_value(JsonParse& parse, const MessagePlan& plan) {
  JsonReader& in = parse.in;
  bool has_type = false;
  bool has_value = false;
  for (bool is_first = true; !in.take('}'); is_first = false) {
    if (!is_first && !in.take(',')) {
      return in.fail_expected("',' or '}'");
    }
    if (in.peek() != '"') {
      return in.fail_expected("a member name");
    }
    const char* name_at = in.at();
    std::string_view name;
    if (!in.read_text(name, parse.scratch)) {
      return false;
    }
    bool is_type = name == "@type";
    bool is_value = name == "value";
    if ((is_type && has_type) || (is_value && has_value)) {
      return in.fail(name_at, "this member is given twice");
    }
    if (!is_type && !is_value && !parse.tolerates(Slip::UnknownField)) {
      return in.fail(name_at, "expected only \"@type\" and \"value\" with " + std::string(plan.full_name));
    }
    has_type = has_type || is_type;
    has_value = has_value || is_value;
    if (!in.take(':')) {
      return in.fail_expected("':'");
    }
    if (is_value ? !parse_message(parse, plan, Bound()) : !in.skip_value()) {
      return is_value && parse.leave_member("value");
    }
  }
  return has_value || plan.codec == Codec::Plain ||
         in.fail(in.at() - 1, "expected a member \"value\" with " + std::string(plan.full_name));
}

bool parse_any_members(JsonParse& parse, const MessagePlan& any, const char* object, uint32_t object_offset) {
  JsonReader& in = parse.in;
  in.skip();
  if (in.take('}')) {
    return true;
  }
  if (in.peek() != '"' || !in.take_name("@type") || !in.take(':')) {
    in.leave();  // find_type enters the object itself
    const char* type = find_type(parse, object, object_offset);
    if (type == nullptr || !in.enter()) {
      return false;
    }
    in.set_at(type);
  }
  const MessagePlan* plan = parse_type(parse, any);
  if (plan == nullptr) {
    return parse.leave_member("@type");
  }
  if (!parse.out.reserve(kScalarBytesMax)) {
    return false;
  }
  parse.out.byte(kSecondBytes);
  size_t mark = parse.out.begin();
  in.set_at(object + 1);
  // Some write an Empty like a well-known type, with a "value".
  bool has_members = plan->codec == Codec::Plain && plan->full_name != "google.protobuf.Empty";
  if (has_members ? !parse_members(parse, *plan, Bound(), true) : !parse_any_value(parse, *plan)) {
    return false;
  }
  parse.out.end(mark);
  return true;
}

bool parse_any(JsonParse& parse, const MessagePlan& plan) {
  JsonReader& in = parse.in;
  if (in.peek() != '{') {
    return in.fail_expected("an object");
  }
  const char* object = in.at();
  if (!parse.go_on() || !in.enter() || !parse_any_members(parse, plan, object, static_cast<uint32_t>(in.offset()))) {
    return false;
  }
  in.leave();
  return true;
}

bool parse_by_codec(JsonParse& parse, const MessagePlan& plan) {
  switch (plan.codec) {
    case Codec::Timestamp:
      return parse_text(parse, "a timestamp", write_timestamp_text);
    case Codec::Duration:
      return parse_text(parse, "a duration", write_duration_text);
    case Codec::FieldMask:
      return parse_text(parse, "a field mask", write_field_mask_text);
    case Codec::Struct:
      return parse_map(parse, plan.fields[0]);
    case Codec::ListValue:
      return parse_list(parse, plan.fields[0]);
    case Codec::Value:
      return parse_value(parse, plan);
    case Codec::Any:
      return parse_any(parse, plan);
    case Codec::Wrapper:
      return parse_scalar(parse, plan.fields[0], false);
    case Codec::Plain:
      break;
  }
  return parse_message(parse, plan, Bound());
}

}  // namespace

bool write_timestamp_text(JsonParse& parse, std::string_view text, const char* at) {
  Moment moment;
  if (!parse_timestamp(text, moment)) {
    return parse.in.fail(at, "expected a timestamp like \"2020-01-31T12:00:00.5Z\"");
  }
  return write_moment(parse, moment);
}

bool write_duration_text(JsonParse& parse, std::string_view text, const char* at) {
  Moment duration;
  if (!parse_duration(text, duration)) {
    return parse.in.fail(at, "expected a duration like \"1.5s\"");
  }
  return write_moment(parse, duration);
}

bool write_field_mask_text(JsonParse& parse, std::string_view text, const char* at) {
  std::string path;
  while (!text.empty()) {
    size_t comma = std::min(text.find(','), text.size());
    path.clear();
    bool ends_in_comma = comma + 1 == text.size();
    if (!append_mask_path_from_json(text.substr(0, comma), path) || ends_in_comma) {
      return parse.in.fail(at, "expected a field mask like \"user.displayName,photo\"");
    }
    if (!parse.out.reserve(kScalarBytesMax)) {
      return false;
    }
    parse.out.byte(kFirstBytes);
    if (!write_length_and_bytes(parse, path)) {
      return false;
    }
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return true;
}

bool parse_well_known(JsonParse& parse, const MessagePlan& plan) {
  if (++parse.message_levels > parse.options.depth_max) {
    return parse.in.fail(parse.in.at(), "nested deeper than " + std::to_string(parse.options.depth_max) + " messages");
  }
  bool ok = parse_by_codec(parse, plan);
  --parse.message_levels;
  return ok;
}

}  // namespace transom
