#include "server/transcode_command.h"

#include <algorithm>
#include <utility>

#include "base/limits.h"
#include "base/padded_text.h"
#include "protocol/grpc_frame.h"
#include "schema/schema_loader.h"
#include "server/config_text.h"
#include "transcode/json_to_wire.h"
#include "transcode/wire_fault.h"
#include "transcode/wire_to_json.h"

namespace transom {
namespace {

Status wrong(std::string message) { return proxy_error(Code::InvalidArgument, std::move(message)); }

Result<SchemaPtr> load(const TranscodeFlags& flags) {
  const std::vector<std::string> here{"."};
  SchemaLoader loader;
  for (const std::string& path : flags.schemas) {
    Status status = path.ends_with(".proto")
                        ? loader.add_proto_file(path, flags.import_paths.empty() ? here : flags.import_paths)
                        : loader.add_descriptor_set_file(path);
    if (!status.ok()) {
      return status;
    }
  }
  return loader.load();
}

// "package.Service/Method", also as a path of a call and as a rule's selector.
Result<const MethodPlan*> find_method(const Schema& schema, std::string_view rpc) {
  std::string name(rpc.starts_with('/') ? rpc.substr(1) : rpc);
  std::ranges::replace(name, '/', '.');
  if (const MethodPlan* method = schema.find_method(name)) {
    return method;
  }
  std::vector<std::string> known;
  for (const MethodPlan& method : schema.methods()) {
    known.push_back(method.path.substr(1));
  }
  const auto nearest = nearest_word(rpc, known);
  return wrong("the schema has no RPC \"" + std::string(rpc) + "\"" + (nearest ? "; did you mean " + *nearest + "?" : ""));
}

Result<std::string> request_of(const MethodPlan& method, std::string json, bool is_framed) {
  if (json.empty()) {
    return wrong("expected JSON, found nothing (at byte 0)");
  }
  pad_for_json(json);
  RequestShape shape;
  shape.message = method.input;
  shape.body = BodyKind::Whole;
  std::string out;
  const size_t frame = is_framed ? begin_grpc_frame(out) : 0;
  const JsonOptions options;
  Status status = json_to_wire({shape, {}, options, Limits().message}, json, out);
  if (!status.ok()) {
    return status;
  }
  if (is_framed) {
    end_grpc_frame(out, frame);
  }
  return out;
}

Status append_answer(const MethodPlan& method, std::string_view wire, std::string& out) {
  ResponseShape shape;
  shape.message = method.output;
  const JsonOptions options;
  Status status = wire_to_json({shape, options, Limits().response_body}, wire, out);
  if (!status.ok()) {
    const std::string fault = find_wire_fault(*method.output, wire);
    return fault.empty() ? status : wrong(fault);
  }
  out += '\n';
  return {};
}

Result<std::string> framed_answers_of(const MethodPlan& method, std::string_view wire) {
  GrpcDeframer deframer(Limits().response_body);
  if (Status status = deframer.add(wire); !status.ok()) {
    return status;
  }
  std::string out;
  GrpcFrame frame;
  for (size_t count = 0; deframer.next(frame); ++count) {
    const std::string place = "message " + std::to_string(count) + ": ";
    if (frame.is_compressed) {
      return wrong(place + "expected one that is not compressed, found the flag for one that is");
    }
    if (Status status = append_answer(method, frame.message, out); !status.ok()) {
      return wrong(place + status.message);
    }
  }
  if (deframer.is_inside_message()) {
    return wrong("expected the rest of a framed message, found the end (at byte " + std::to_string(wire.size()) + ")");
  }
  return out;
}

}  // namespace

Result<std::string> transcode_input(const TranscodeFlags& flags, std::string input) {
  Result<SchemaPtr> schema = load(flags);
  if (!schema.ok()) {
    return schema.status();
  }
  Result<const MethodPlan*> method = find_method(**schema, flags.rpc);
  if (!method.ok()) {
    return method.status();
  }
  if (flags.is_request) {
    return request_of(**method, std::move(input), flags.is_framed);
  }
  if (flags.is_framed) {
    return framed_answers_of(**method, input);
  }
  std::string out;
  Status status = append_answer(**method, input, out);
  return status.ok() ? Result<std::string>(std::move(out)) : Result<std::string>(std::move(status));
}

}  // namespace transom
