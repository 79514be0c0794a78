#include "transcode/wire_to_json.h"

#include <vector>

#include "schema/schema.h"
#include "transcode/json_print.h"
#include "transcode/json_text.h"
#include "transcode/print_list.h"
#include "transcode/print_message.h"
#include "transcode/print_scalar.h"
#include "transcode/print_well_known.h"

namespace transom {
namespace {

constexpr size_t kWireBytesMax = 0xffffffff;

bool print_found_body_field(JsonPrint& print, const FieldPlan& field, FieldWalk& walk) {
  if (field.is_repeated) {
    bool is_empty = false;
    return print_repeated(print, field, walk, is_empty);
  }
  if (field.kind != Kind::Message) {
    walk.to_last_value();
  }
  return print_value(print, field, walk);
}

// One field stands for the whole answer; what is not on the wire has its default.
bool print_body_field(JsonPrint& print, const ResponseShape& shape) {
  FieldWalk walk(print, *shape.message, Parts(&print.wire, 1));
  bool is_found = false;
  while (const FieldPlan* field = walk.next_field()) {
    if (field != shape.body_field) {
      while (walk.next_value()) {
      }
    } else if (!print_found_body_field(print, *field, walk)) {
      return false;
    } else {
      is_found = true;
    }
  }
  return print.problem == nullptr && (is_found || print_default(print, *shape.body_field));
}

// The values of field `number` of Bytes type, of a message that may be broken: what can be read of it.
std::vector<std::string_view> delimited_values(std::string_view message, uint32_t number) {
  std::vector<std::string_view> values;
  const char* at = message.data();
  const char* end = at + message.size();
  WireTag tag;
  while (at < end && read_tag(at, end, tag)) {
    WireValue value;
    if (!read_wire_value(at, end, tag, 100, value)) {
      break;
    }
    if (tag.number == number && tag.type == WireType::Bytes) {
      values.push_back(value.content);
    }
  }
  return values;
}

std::string unknown_detail(std::string_view any, const JsonOptions& options) {
  std::string_view url;
  std::string_view value;
  read_any(Parts(&any, 1), url, value);
  std::string out = "{\"@type\":";
  append_json_string(url, out);
  std::string body;
  JsonPrint print(any, body, SIZE_MAX, options);
  if (print.out.write_base64(value)) {
    print.out.finish();
  }
  return out + ",\"value\":" + body + "}";
}

}  // namespace

Status wire_to_json(const WireToJson& job, std::string_view wire, std::string& out) {
  if (wire.size() > kWireBytesMax) {
    return proxy_error(Code::Internal, "the answer is larger than this server sends");
  }
  size_t prior_bytes = out.size();
  for (bool is_careful : {false, true}) {
    JsonPrint print(wire, out, job.json_bytes_max, job.options);
    print.is_careful = is_careful;
    print.cancelled = job.cancelled;
    bool ok = job.shape.body_field != nullptr ? print_body_field(print, job.shape)
                                              : print_message(print, *job.shape.message, Parts(&wire, 1));
    if (ok && print.out.position() <= job.json_bytes_max) {
      print.out.finish();
      return Status();
    }
    out.resize(prior_bytes);
    if (!print.is_untidy) {
      return print.failure();
    }
  }
  return proxy_error(Code::Internal, "the answer cannot be read");
}

std::string details_to_json(std::string_view status_bytes, const Schema& schema, const JsonOptions& options) {
  constexpr uint32_t kDetails = 3;  // google.rpc.Status
  const MessagePlan* any = schema.find_message("google.protobuf.Any");
  std::string out;
  for (std::string_view detail : delimited_values(status_bytes, kDetails)) {
    std::string text;
    bool ok = false;
    if (any != nullptr) {
      JsonPrint print(detail, text, SIZE_MAX, options);
      print.is_careful = true;
      ok = print_message(print, *any, Parts(&detail, 1));
      print.out.finish();
    }
    out += out.empty() ? "" : ",";
    out += ok ? text : unknown_detail(detail, options);
  }
  return out;
}

void append_json_string(std::string_view text, std::string& out) {
  out += '"';
  while (!text.empty()) {
    size_t valid = utf8_valid_bytes(text);
    JsonWriter writer(out, SIZE_MAX, valid);
    writer.write_escaped(text.substr(0, valid));
    writer.finish();
    text.remove_prefix(valid);
    if (!text.empty()) {
      out += "\xef\xbf\xbd";
      text.remove_prefix(1);
    }
  }
  out += '"';
}

}  // namespace transom
