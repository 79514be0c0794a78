// JSON objects -> messages by their plans: members in any order, lists, maps, nested messages. What is refused:
// unknown members (unless options say otherwise), a field named twice whichever way it is spelled, two members of one
// oneof, null in a list or a map. Free functions over one JsonParse.
#pragma once

#include "transcode/json_parse.h"

namespace transom {

// A message of any codec, without tag and length.
bool parse_message(JsonParse& parse, const MessagePlan& plan, Bound bound);

// The members of an object after its '{', up to and with the '}'. With is_any, "@type" is passed over.
bool parse_members(JsonParse& parse, const MessagePlan& plan, Bound bound, bool is_any);

// The value of a field, with its tag: a scalar, a message, a list or a map. null leaves the field absent, unless null
// is a value of its type.
bool parse_field(JsonParse& parse, const FieldPlan& field, Bound bound);

// Whether null is a value of the field's type: google.protobuf.Value, or the enum NullValue.
inline bool takes_null(const FieldPlan& field) {
  return (field.kind == Kind::Message && field.message->codec == Codec::Value) ||
         (field.kind == Kind::Enum && field.enumeration->is_null_value);
}

}  // namespace transom
