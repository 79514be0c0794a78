#include "protocol/conversion.h"

#include <algorithm>
#include <utility>

#include "base/message_piece.h"
#include "base/padded_text.h"
#include "protocol/grpc_frame.h"
#include "transcode/field_text.h"
#include "transcode/json_to_wire.h"
#include "transcode/wire_to_json.h"

namespace transom {
namespace {

constexpr size_t kReservedBytesMax = 4096;  // of the message a small request makes

}  // namespace

RequestBindings RequestBindings::take(bool keeps) {
  if (!keeps) {
    return std::exchange(*this, {});
  }
  RequestBindings made;
  made.bindings = bindings;
  for (const std::unique_ptr<FieldPath>& path : paths) {
    made.paths.push_back(std::make_unique<FieldPath>(*path));
    for (Binding& binding : made.bindings) {
      if (binding.path == path.get()) {
        binding.path = made.paths.back().get();
      }
    }
  }
  return made;
}

Conversion Conversion::failure(Status status) {
  Conversion made(Work::Failure, {});
  made.failure_ = std::move(status);
  return made;
}

Conversion Conversion::verbatim(std::string bytes) { return Conversion(Work::Verbatim, std::move(bytes)); }

Conversion Conversion::from_json(const TranscodeRules& rules, RequestBindings bindings, std::string text) {
  Conversion made(Work::FromJson, std::move(text));
  made.rules_ = rules;
  made.bindings_ = std::move(bindings);
  return made;
}

Conversion Conversion::from_http_body(const TranscodeRules& rules, RequestBindings bindings, std::string bytes,
                                      HttpBodyHead head) {
  Conversion made(Work::FromHttpBody, std::move(bytes));
  made.rules_ = rules;
  made.bindings_ = std::move(bindings);
  made.body_head_ = std::move(head);
  return made;
}

Conversion Conversion::to_json(const TranscodeRules& rules, std::string message, Coding coding, std::string_view before,
                               std::string_view after) {
  Conversion made(Work::ToJson, std::move(message));
  made.rules_ = rules;
  made.coding_ = coding;
  made.before_ = before;
  made.after_ = after;
  return made;
}

Conversion Conversion::to_json_frame(const TranscodeRules& rules, std::string message, Coding coding) {
  Conversion made = to_json(rules, std::move(message), coding, {}, {});
  made.is_framed_ = true;
  return made;
}

Conversion Conversion::to_http_body(const TranscodeRules& rules, std::string message, Coding coding,
                                    bool begins_answer) {
  Conversion made(Work::ToHttpBody, std::move(message));
  made.begins_answer_ = begins_answer;
  made.rules_ = rules;
  made.coding_ = coding;
  return made;
}

Conversion Conversion::from_wire(const TranscodeRules& rules, RequestBindings bindings, std::string message) {
  Conversion made = from_json(rules, std::move(bindings), std::move(message));
  made.work_ = Work::FromWire;
  return made;
}

Conversion Conversion::to_binary_piece(const TranscodeRules& rules, std::string message, Coding coding) {
  Conversion made = to_http_body(rules, std::move(message), coding, false);
  made.work_ = Work::ToPiece;
  return made;
}

size_t Conversion::input_bytes() const {
  return std::max(input_.size(), inflated_size(coding_, input_));
}

Status Conversion::run(std::string& out, const std::atomic<bool>* cancelled) {
  switch (work_) {
    case Work::Failure:
      return failure_;
    case Work::Verbatim:
      if (out.empty()) {
        out = std::move(input_);
      } else {
        out.append(input_);
      }
      return {};
    case Work::FromJson:
      return run_from_json(out, cancelled);
    case Work::FromHttpBody:
      return run_from_http_body(out);
    case Work::FromWire:
      return run_from_wire(out);
    case Work::ToJson:
      return run_to_json(out, cancelled);
    case Work::ToHttpBody:
      return run_to_http_body(out);
    case Work::ToPiece:
      if (Status status = inflate_input(rules_.limits->response_body, Fault::Replica); !status.ok()) {
        return status;
      }
      append_piece({.is_binary = true, .bytes = input_}, out);
      return {};
  }
  return {};
}

Status Conversion::run_from_json(std::string& out, const std::atomic<bool>* cancelled) {
  if (coding_ != Coding::Identity) {
    if (Status status = inflate_input(rules_.limits->request_body, Fault::Client); !status.ok()) {
      return status;
    }
    pad_for_json(input_);
  }
  out.reserve(out.size() + kGrpcPrefixBytes + std::min(input_.size(), kReservedBytesMax));
  const size_t at = begin_grpc_frame(out);
  const JsonToWire job{.shape = *rules_.request,
                       .bindings = bindings_.bindings,
                       .options = *rules_.json,
                       .message_bytes_max = rules_.limits->message,
                       .cancelled = cancelled,
                       .slips = &slips_};
  Status status = json_to_wire(job, input_, out);
  if (status.ok()) {
    close_frame(out, at);
  } else if (number_ > 0 && status.fault == Fault::Client) {
    status.message = "message " + std::to_string(number_) + ": " + status.message;
  }
  return status;
}

// Behind what is there already, on the wire, so that they beat it.
Status Conversion::append_bindings(std::string& out) const {
  RequestShape shape;
  shape.message = rules_.request->message;
  const JsonToWire job{.shape = shape,
                       .bindings = bindings_.bindings,
                       .options = *rules_.json,
                       .message_bytes_max = rules_.limits->message};
  return json_to_wire(job, std::string(), out);
}

Status Conversion::run_from_http_body(std::string& out) {
  const size_t at = begin_grpc_frame(out);
  // The body first, then the path's values; the query has none of what is in the body.
  append_http_body(*rules_.request, body_head_, input_, out);
  const bool has_more = !bindings_.bindings.empty() || rules_.request->message->has_required;
  if (Status status = has_more ? append_bindings(out) : Status(); !status.ok()) {
    return status;
  }
  return end_message(out, at);
}

Status Conversion::run_from_wire(std::string& out) {
  const size_t at = begin_grpc_frame(out);
  out.append(input_);
  if (Status status = bindings_.bindings.empty() ? Status() : append_bindings(out); !status.ok()) {
    return status;
  }
  return end_message(out, at);
}

Status Conversion::end_message(std::string& out, size_t at) const {
  if (out.size() - at - kGrpcPrefixBytes > rules_.limits->message) {
    return client_error(Code::ResourceExhausted, "the message is over the limit of " +
                                                     std::to_string(rules_.limits->message) + " bytes", 413);
  }
  close_frame(out, at);
  return {};
}

void Conversion::close_frame(std::string& out, size_t at) const {
  const size_t begin = at + kGrpcPrefixBytes;
  if (out.size() - begin >= rules_.gzip_at_least) {
    std::string packed;
    gzip_bytes(std::string_view(out).substr(begin), packed);
    if (packed.size() < out.size() - begin) {
      out.replace(begin, std::string::npos, packed);
      out[at] = kGrpcCompressedFlag;
    }
  }
  end_grpc_frame(out, at);
}

Status Conversion::inflate_input(size_t bytes_max, Fault sender) {
  if (coding_ == Coding::Identity) {
    return {};
  }
  std::string plain;
  switch (inflate_bytes(coding_, input_, bytes_max, plain)) {
    case Inflated::Ok:
      input_ = std::move(plain);
      coding_ = Coding::Identity;
      return {};
    case Inflated::TooLarge: {
      const std::string limit = "inflates to more than the limit of " + std::to_string(bytes_max) + " bytes";
      return sender == Fault::Client ? client_error(Code::ResourceExhausted, "the message " + limit, 413)
                                     : proxy_error(Code::Internal, "the replica's message " + limit);
    }
    case Inflated::Malformed:
      break;
  }
  return sender == Fault::Client ? client_error(Code::InvalidArgument, "the message could not be inflated")
                                 : replica_error(Code::Internal, "the replica's message could not be inflated");
}

Status Conversion::run_to_json(std::string& out, const std::atomic<bool>* cancelled) {
  if (Status status = inflate_input(rules_.limits->response_body, Fault::Replica); !status.ok()) {
    return status;
  }
  const size_t at = is_framed_ ? begin_grpc_frame(out) : 0;
  if (event_id_ != nullptr) {
    append_event_id(out);
  }
  out.append(before_);
  const WireToJson job{.shape = *rules_.response,
                       .options = *rules_.json,
                       .json_bytes_max = rules_.limits->response_body,
                       .cancelled = cancelled};
  Status status = wire_to_json(job, input_, out);
  out.append(after_);
  if (is_framed_ && status.ok()) {
    end_grpc_frame(out, at);
  }
  return status;
}

// A message without that field, or with the default in it, has none; nor has one whose text cannot stand in a line.
void Conversion::append_event_id(std::string& out) const {
  std::string id;
  if (append_field_text(*event_id_, input_, id) && id.find_first_of(std::string_view("\n\r\0", 3)) == std::string::npos) {
    out.append("id: ").append(id).append("\n");
  }
}

Status Conversion::run_to_http_body(std::string& out) {
  if (Status status = inflate_input(rules_.limits->response_body, Fault::Replica); !status.ok()) {
    return status;
  }
  Result<HttpBodyParts> parts = parse_http_body(*rules_.response, input_);
  if (!parts.ok()) {
    return parts.status();
  }
  if (Status status = begins_answer_ ? add_extensions(*parts, answer_fields_) : Status(); !status.ok()) {
    return status;
  }
  out.append(parts->data);
  body_head_.content_type = parts->content_type.empty() ? "application/octet-stream" : std::string(parts->content_type);
  return {};
}

}  // namespace transom
