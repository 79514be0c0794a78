#include "transcode/print_well_known.h"

#include <bit>
#include <cmath>

#include "base/limits.h"
#include "schema/schema.h"
#include "transcode/field_mask_text.h"
#include "transcode/field_walk.h"
#include "transcode/json_text.h"
#include "transcode/print_list.h"
#include "transcode/print_message.h"
#include "transcode/print_scalar.h"
#include "transcode/print_struct.h"
#include "transcode/time_text.h"
#include "transcode/wire_reader.h"

namespace transom {
namespace {

// Calls take(tag, value) for all there is, in order; false when the bytes are malformed.
template <class Take>
bool read_values(Parts parts, Take take) {
  for (std::string_view part : parts) {
    const char* at = part.data();
    const char* end = at + part.size();
    while (at < end) {
      WireTag tag;
      WireValue value;
      if (!read_tag(at, end, tag) || !read_wire_value(at, end, tag, kUnknownGroupDepthMax, value)) {
        return false;
      }
      take(tag, value);
    }
  }
  return true;
}

bool read_moment(Parts parts, Moment& moment) {
  return read_values(parts, [&](const WireTag& tag, const WireValue& value) {
    if (tag.type == WireType::Varint && tag.number == 1) {
      moment.seconds = static_cast<int64_t>(value.bits);
    } else if (tag.type == WireType::Varint && tag.number == 2) {
      moment.nanos = static_cast<int32_t>(value.bits);
    }
  });
}

bool print_moment(JsonPrint& print, Parts parts, char* (*format)(Moment, char*), const char* problem) {
  Moment moment;
  if (!read_moment(parts, moment)) {
    return print.fail_malformed();
  }
  if (!print.out.reserve(kTimeTextBytesMax)) {
    return false;
  }
  char* end = format(moment, print.out.at() + 1);
  if (end == nullptr) {
    return print.fail(problem);
  }
  print.out.put('"');
  print.out.set_at(end);
  print.out.put('"');
  return true;
}

bool print_field_mask(JsonPrint& print, const MessagePlan& plan, Parts parts) {
  FieldWalk walk(print, plan, parts);
  std::string text;
  if (walk.next_field() != nullptr) {
    do {
      text += text.empty() ? "" : ",";
      if (!append_mask_path_to_json(walk.value().content, text)) {
        return print.fail("a path of a field mask in the replica's message has no JSON form");
      }
    } while (walk.next_value());
  }
  return walk.finish() && print_string(print, text);
}

// Struct and ListValue: one repeated field that stands for the whole.
bool print_only_field(JsonPrint& print, const MessagePlan& plan, Parts parts) {
  FieldWalk walk(print, plan, parts);
  const FieldPlan* field = walk.next_field();
  if (field == nullptr) {
    if (print.problem != nullptr || !print.enter() || !print_default(print, plan.fields[0])) {
      return false;
    }
    print.leave();
    return true;
  }
  bool is_empty = false;
  return print_repeated(print, *field, walk, is_empty) && walk.finish();
}

bool is_finite_number(const FieldPlan& field, const WireValue& value) {
  return field.kind != Kind::Double || std::isfinite(std::bit_cast<double>(value.bits));
}

// Value: a oneof, of which the member that is there stands for the whole.
bool print_any_kind(JsonPrint& print, const MessagePlan& plan, Parts parts) {
  FieldWalk walk(print, plan, parts);
  const FieldPlan* field = walk.next_field();
  if (field == nullptr) {
    return print.problem == nullptr && print.out.write("null");
  }
  if (field->kind != Kind::Message) {
    walk.to_last_value();
    if (!is_finite_number(*field, walk.value())) {
      return print.fail("a google.protobuf.Value in the replica's message is not finite");
    }
  }
  return print_value(print, *field, walk) && walk.finish();
}

bool print_wrapper(JsonPrint& print, const MessagePlan& plan, Parts parts) {
  FieldWalk walk(print, plan, parts);
  const FieldPlan* field = walk.next_field();
  if (field == nullptr) {
    return print.problem == nullptr && print_default_scalar(print, plan.fields[0]);
  }
  walk.to_last_value();
  return print_scalar(print, *field, walk.value()) && walk.finish();
}

bool print_type(JsonPrint& print, std::string_view url) {
  return print.out.write("{\"@type\":") && print_string(print, url);
}

bool print_any(JsonPrint& print, const MessagePlan& plan, Parts parts) {
  std::string_view url;
  std::string_view value;
  if (!read_any(parts, url, value)) {
    return print.fail_malformed();
  }
  if (url.empty() && value.empty()) {
    return print.out.write("{}");
  }
  size_t slash = url.rfind('/');
  std::string_view name = slash == std::string_view::npos ? url : url.substr(slash + 1);
  const MessagePlan* child = plan.schema->find_message(name);
  if (child == nullptr) {
    return print_unknown_any(print, url, value);
  }
  if (!print_type(print, url)) {
    return false;
  }
  ++print.message_levels;
  bool ok = child->codec == Codec::Plain
                ? print_members(print, *child, Parts(&value, 1), false)
                : print.out.write(",\"value\":") && print_well_known(print, *child, Parts(&value, 1));
  --print.message_levels;
  return ok && print.out.write("}");
}

bool print_by_codec(JsonPrint& print, const MessagePlan& plan, Parts parts) {
  switch (plan.codec) {
    case Codec::Timestamp:
      return print_moment(print, parts, format_timestamp, "a timestamp in the replica's message is out of range");
    case Codec::Duration:
      return print_moment(print, parts, format_duration, "a duration in the replica's message is out of range");
    case Codec::FieldMask:
      return print_field_mask(print, plan, parts);
    case Codec::Struct:
    case Codec::ListValue:
      return print_only_field(print, plan, parts);
    case Codec::Value:
      return print_any_kind(print, plan, parts);
    case Codec::Wrapper:
      return print_wrapper(print, plan, parts);
    default:
      break;
  }
  if (!print.enter() || !print_any(print, plan, parts)) {
    return false;
  }
  print.leave();
  return true;
}

}  // namespace

bool read_any(Parts parts, std::string_view& url, std::string_view& value) {
  return read_values(parts, [&](const WireTag& tag, const WireValue& member) {
    if (tag.type == WireType::Bytes && (tag.number == 1 || tag.number == 2)) {
      (tag.number == 1 ? url : value) = member.content;
    }
  });
}

bool print_unknown_any(JsonPrint& print, std::string_view url, std::string_view value) {
  return print_type(print, url) && print.out.write(",\"value\":") && print.out.write_base64(value) &&
         print.out.write("}");
}

bool print_well_known(JsonPrint& print, const MessagePlan& plan, Parts parts) {
  const bool is_struct = plan.codec == Codec::Struct || plan.codec == Codec::Value || plan.codec == Codec::ListValue;
  if (is_struct && !print.is_careful && parts.size() <= 1) {
    return print_usual_struct(print, plan.codec, parts.empty() ? std::string_view() : parts[0]);
  }
  if (++print.message_levels > print.options.depth_max) {
    return print.fail("the replica's message is nested too deep for JSON");
  }
  bool ok = print_by_codec(print, plan, parts);
  --print.message_levels;
  return ok;
}

}  // namespace transom
