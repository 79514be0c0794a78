#include "transcode/print_message.h"

#include <vector>

#include "transcode/json_text.h"
#include "transcode/print_list.h"
#include "transcode/print_scalar.h"
#include "transcode/print_well_known.h"

namespace transom {
namespace {

std::string_view name_of(const JsonPrint& print, const FieldPlan& field) {
  return print.options.preserve_proto_field_names && !field.is_extension ? field.proto_name : field.json_name;
}

inline bool print_name(JsonPrint& print, const FieldPlan& field, bool& is_first) {
  bool has_comma = !is_first;
  is_first = false;
  return print.out.write_plain_name(has_comma, name_of(print, field));
}

// A list or map that turns out to have nothing in it is left out, name and all.
bool print_repeated_member(JsonPrint& print, const FieldPlan& field, FieldWalk& walk, bool& is_first) {
  size_t before = print.out.position();
  bool was_first = is_first;
  bool is_empty = false;
  if (!print_name(print, field, is_first) || !print_repeated(print, field, walk, is_empty)) {
    return false;
  }
  if (is_empty && !print.options.always_print_fields_with_no_presence) {
    print.out.set_at(print.out.at() - (print.out.position() - before));
    is_first = was_first;
  }
  return true;
}

bool print_member(JsonPrint& print, const FieldPlan& field, FieldWalk& walk, bool& is_first) {
  if (field.is_repeated) {
    return print_repeated_member(print, field, walk, is_first);
  }
  if (field.kind != Kind::Message) {
    walk.to_last_value();
    bool is_left_out = !field.has_presence && !print.options.always_print_fields_with_no_presence &&
                       is_default_value(field, walk.value());
    if (is_left_out) {
      return true;
    }
    if (field.kind == Kind::String) {
      return print_name(print, field, is_first) && print_wire_string(print, walk.value().content);
    }
  }
  return print_name(print, field, is_first) && print_value(print, field, walk);
}

}  // namespace

bool print_value(JsonPrint& print, const FieldPlan& field, FieldWalk& walk) {
  if (field.kind != Kind::Message) {
    return print_scalar(print, field, walk.value());
  }
  std::string_view content = walk.value().content;
  if (field.is_repeated || !walk.is_indexed()) {
    return print_message(print, *field.message, Parts(&content, 1));
  }
  std::vector<std::string_view> parts = {content};
  while (walk.next_value()) {
    parts.push_back(walk.value().content);
  }
  return print_message(print, *field.message, parts);
}

bool print_default(JsonPrint& print, const FieldPlan& field) {
  if (field.is_repeated) {
    return print.out.write(field.is_map ? "{}" : "[]");
  }
  if (field.kind != Kind::Message) {
    return print_default_scalar(print, field);
  }
  Codec codec = field.message->codec;
  bool is_object = codec == Codec::Plain || codec == Codec::Struct;
  return print.out.write(is_object ? "{}" : codec == Codec::ListValue ? "[]" : "null");
}

bool print_members(JsonPrint& print, const MessagePlan& plan, Parts parts, bool is_first) {
  FieldWalk walk(print, plan, parts);
  while (const FieldPlan* field = walk.next_field()) {
    if (!print_member(print, *field, walk, is_first)) {
      return false;
    }
  }
  if (print.problem != nullptr) {
    return false;
  }
  if (print.options.always_print_fields_with_no_presence) {
    for (const FieldPlan& field : plan.fields) {
      bool is_missing = !field.has_presence && !field.is_extension && field.kind != Kind::Group && !walk.has(field);
      if (is_missing && (!print_name(print, field, is_first) || !print_default(print, field))) {
        return false;
      }
    }
  }
  return true;
}

bool print_message(JsonPrint& print, const MessagePlan& plan, Parts parts) {
  if (plan.codec != Codec::Plain) {
    return print_well_known(print, plan, parts);
  }
  if (!print.enter() || !print.go_on() || !print.out.write("{")) {
    return false;
  }
  ++print.message_levels;
  if (!print_members(print, plan, parts, true) || !print.out.write("}")) {
    return false;
  }
  --print.message_levels;
  print.leave();
  return true;
}

}  // namespace transom
