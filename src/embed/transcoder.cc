#include "transom/transcoder.h"

#include <algorithm>
#include <span>
#include <utility>

#include "base/limits.h"
#include "base/padded_text.h"
#include "embed/failure.h"
#include "embed/routed_request.h"
#include "schema/schema.h"
#include "transcode/json_to_wire.h"
#include "transcode/wire_to_json.h"

namespace transom {
namespace {

JsonOptions options_of(const TranscodeSettings& settings) {
  JsonOptions options;
  options.preserve_proto_field_names = settings.preserve_proto_field_names;
  options.always_print_fields_with_no_presence = settings.always_print_fields_with_no_presence;
  options.always_print_enums_as_ints = settings.always_print_enums_as_ints;
  options.int64_as_number = settings.int64_as_number;
  const auto verdict = [](bool is_rejected) { return is_rejected ? Verdict::Reject : Verdict::Ignore; };
  options.strictness.set(Slip::UnknownField, verdict(!settings.ignore_unknown_fields))
      .set(Slip::DuplicateKey, verdict(!settings.last_duplicate_key_wins))
      .set(Slip::BoundField, verdict(settings.strict_bindings));
  options.case_insensitive_enums = settings.case_insensitive_enums;
  options.depth_max = std::clamp(settings.depth_max, 1, Limits().json_depth);
  return options;
}

Expected<std::string> parse(const RequestShape& shape, std::span<const Binding> bindings, std::string json,
                            const TranscodeSettings& settings) {
  pad_for_json(json);
  const JsonOptions options = options_of(settings);
  std::string message;
  const JsonToWire job{
      .shape = shape, .bindings = bindings, .options = options, .message_bytes_max = settings.message_bytes_max};
  if (Status status = json_to_wire(job, json, message); !status.ok()) {
    return failure_of(status);
  }
  return message;
}

Expected<std::string> print(const ResponseShape& shape, std::string_view message, const TranscodeSettings& settings) {
  const JsonOptions options = options_of(settings);
  std::string json;
  const WireToJson job{.shape = shape, .options = options, .json_bytes_max = settings.json_bytes_max};
  if (Status status = wire_to_json(job, message, json); !status.ok()) {
    return failure_of(status);
  }
  return json;
}

Failure unknown_type(std::string_view type) {
  return failure_of(client_error(Code::NotFound, "the schema has no message \"" + std::string(type) + "\""));
}

}  // namespace

Expected<std::string> Transcoder::request(const RoutedRequest& routed, std::string body) const {
  const Found& found = routed.held_->found;
  return parse(found.route->request, found.bindings, std::move(body), settings_);
}

Expected<std::string> Transcoder::answer(const RoutedRequest& routed, std::string_view message) const {
  return print(routed.held_->found.route->response, message, settings_);
}

Expected<std::string> Transcoder::to_message(const ServiceSchema& schema, std::string_view type,
                                             std::string json) const {
  RequestShape shape;
  shape.message = schema.held_->find_message(type);
  shape.body = BodyKind::Whole;
  if (shape.message == nullptr) {
    return unknown_type(type);
  }
  return parse(shape, {}, std::move(json), settings_);
}

Expected<std::string> Transcoder::to_json(const ServiceSchema& schema, std::string_view type,
                                          std::string_view message) const {
  ResponseShape shape;
  shape.message = schema.held_->find_message(type);
  if (shape.message == nullptr) {
    return unknown_type(type);
  }
  return print(shape, message, settings_);
}

}  // namespace transom
