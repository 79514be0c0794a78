#include "transcode/json_to_wire.h"

#include "base/padded_text.h"
#include "transcode/bind_values.h"
#include "transcode/body_mask.h"
#include "transcode/json_parse.h"
#include "transcode/parse_message.h"

namespace transom {
namespace {

// The fields of path_fields that lie in the message that the prefix leads to.
Bound bound_below(const RequestShape& shape, const FieldPath& prefix) {
  Bound bound;
  bound.depth = static_cast<uint32_t>(prefix.size());
  for (size_t i = 0; i < shape.path_fields.size(); ++i) {
    if (shape.path_fields[i].size() > prefix.size() && overlaps(shape.path_fields[i], prefix)) {
      bound.active |= uint64_t{1} << i;
    }
  }
  return bound;
}

// Whether the path binds the body's field, a message around it, or a part of what one text says as a whole.
bool is_body_bound(const RequestShape& shape) {
  const FieldPlan& field = *shape.body_field.back();
  const bool has_own_form = field.message != nullptr && field.message->codec != Codec::Plain;
  for (const FieldPath& path : shape.path_fields) {
    if (overlaps(path, shape.body_field) && (path.size() <= shape.body_field.size() || has_own_form)) {
      return true;
    }
  }
  return false;
}

bool parse_body_field(JsonParse& parse, const RequestShape& shape) {
  if (is_body_bound(shape)) {
    return parse.tolerates(Slip::BoundField) ? parse.in.skip_value()
                                             : parse.in.fail(parse.in.at(), "the path sets the body's field");
  }
  size_t mark = 0;
  const FieldPath& path = shape.body_field;
  InlineStack<size_t, 8> marks;
  for (size_t i = 0; i + 1 < path.size(); ++i) {
    if (!parse.out.reserve(kScalarBytesMax)) {
      return false;
    }
    parse.out.tag(*path[i]);
    mark = parse.out.begin();
    marks.push(mark);
  }
  const FieldPlan& field = *path.back();
  if (parse.in.peek() == 'n' && (field.is_repeated || !takes_null(field))) {
    return parse.in.fail_expected("a value");
  }
  if (!parse_field(parse, field, bound_below(shape, path))) {
    return false;
  }
  for (size_t i = marks.size(); i-- > 0;) {
    parse.out.end(marks[i]);
  }
  return true;
}

bool parse_body(JsonParse& parse, const RequestShape& shape) {
  bool ok = shape.body == BodyKind::Whole ? parse_message(parse, *shape.message, bound_below(shape, {}))
                                          : parse_body_field(parse, shape);
  return ok && (parse.in.is_at_end() || parse.in.fail_expected("nothing more"));
}

Status bad_utf8(std::string_view text) {
  return client_error(Code::InvalidArgument,
                      "the body is not UTF-8 (at byte " + std::to_string(utf8_valid_bytes(text)) + ")");
}

// The body, then what path and query say; an empty body is none.
bool write_message(JsonParse& parse, const JsonToWire& job, std::string_view text) {
  const bool has_body = !text.empty();
  if (has_body && !parse_body(parse, job.shape)) {
    return false;
  }
  if (has_body && wants_body_mask(job) && !write_body_mask(parse, job, text)) {
    return false;
  }
  return write_bindings(parse, job, has_body);
}

Status transcode(const JsonToWire& job, std::string_view text, std::string& out) {
  size_t prior_bytes = out.size();
  if (!is_utf8(text)) {
    return bad_utf8(text);
  }
  JsonParse parse(text, out, job.message_bytes_max, job.options);
  parse.path_fields = job.shape.path_fields;
  parse.cancelled = job.cancelled;
  if (write_message(parse, job, text) && parse.out.finish()) {
    if (job.slips != nullptr) {
      job.slips->add(parse.slips);
    }
    return Status();
  }
  out.resize(prior_bytes);
  return parse.failure();
}

}  // namespace

Status json_to_wire(const JsonToWire& job, const std::string& json, std::string& out) {
  if (job.shape.path_fields.size() > kPathFieldsMax) {
    return proxy_error(Code::Internal, "a route binds more than 64 fields by its path");
  }
  if (job.shape.body == BodyKind::None || json.empty()) {
    return transcode(job, std::string_view("", 0), out);
  }
  if (json.size() > 0xffffffff) {
    return client_error(Code::ResourceExhausted, "the body is larger than this server takes", 413);
  }
  if (json.capacity() - json.size() >= kJsonPaddingBytes) {
    return transcode(job, json, out);
  }
  std::string padded;
  padded.reserve(json.size() + kJsonPaddingBytes);
  padded = json;
  return transcode(job, padded, out);
}

}  // namespace transom
