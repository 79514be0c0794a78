#include "server/explain.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "protocol/grpc_frame.h"
#include "protocol/json_request.h"
#include "protocol/media_type.h"
#include "route/match_order.h"
#include "route/query_reader.h"
#include "route/route_misfit.h"
#include "schema/field_path.h"
#include "server/summary.h"
#include "transcode/bind_values.h"
#include "transcode/wire_to_json.h"

namespace transom {
namespace {

const char* const kWhitespace = " \t";

std::string_view trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(kWhitespace);
  if (begin == std::string_view::npos) {
    return "";
  }
  return text.substr(begin, text.find_last_not_of(kWhitespace) - begin + 1);
}

std::string path_text(const FieldPath& path, std::string_view map_key = "") {
  std::string text;
  for (const FieldPlan* field : path) {
    text += (text.empty() ? "" : ".") + std::string(field->json_name);
  }
  const bool is_entry = path.back()->is_map;
  return is_entry ? text + "[" + std::string(map_key) + "]" : text;
}

std::string json_text(std::string_view text) {
  std::string out;
  append_json_string(text, out);
  return out;
}

// The keys of a query as they came, in order.
std::vector<std::string_view> query_keys(std::string_view target) {
  std::vector<std::string_view> keys;
  const size_t mark = target.find('?');
  std::string_view rest = mark == std::string_view::npos ? "" : target.substr(mark + 1);
  while (!rest.empty()) {
    const std::string_view pair = rest.substr(0, rest.find('&'));
    rest.remove_prefix(std::min(rest.size(), pair.size() + 1));
    if (const std::string_view key = pair.substr(0, pair.find('=')); !key.empty()) keys.push_back(key);
  }
  return keys;
}

// Why a query key that bound nothing is passed over.
const char* passed_over_because(std::string_view key, const RequestShape& shape) {
  const Result<FieldPath> path = resolve_field_path(*shape.message, key.substr(0, key.find('[')));
  if (!path.ok()) return "it names no field";
  if (shape.body == BodyKind::Whole) return "the body is the whole message";
  const bool is_of_body = shape.body == BodyKind::Field && overlaps(*path, shape.body_field);
  return is_of_body ? "the body gives it" : "the path gives it";
}

// Explains one request, line by line. is_accepted is what the proxy would do.
class Explainer {
 public:
  Explainer(const Snapshot& snapshot, const ExplainedRequest& request) : snapshot_(snapshot), request_(request) {}

  Explanation explain() {
    is_grpc_ = is_grpc(request_.fields.find("content-type").value_or(""));
    auto answer = snapshot_.router->find(route_request(), snapshot_.binding_options);
    if (auto* missing = std::get_if<NotFound>(&answer)) {
      refuse(missing->status);
      if (!missing->allow.empty()) say("allow", missing->allow);
      route_ = missing->route;
    } else {
      take(std::get<Found>(answer));
    }
    explain_others();
    return {std::move(text_), is_accepted_};
  }

 private:
  RouteRequest route_request() const {
    return {.method = request_.method,
            .path = request_.target,
            .host = request_.host,
            .fields = request_.fields,
            .is_grpc = is_grpc_};
  }

  const RouteSettings& settings() const { return snapshot_.route_settings[route_->options_index]; }

  // what: at most 7 letters.
  void say(std::string_view what, std::string_view text) {
    text_ += std::string(what) + std::string(8 - what.size(), ' ') + std::string(text) + "\n";
  }

  void refuse(const Status& status) {
    is_accepted_ = false;
    say("answer", std::to_string(http_status_of(status)) + " (" + std::string(code_name(status.code)) + "): " +
                      status.message);
  }

  void take(Found& found) {
    route_ = found.route;
    is_accepted_ = true;
    say("route", route_line(*route_));
    const std::string whose = route_->backend.empty() ? " of the proxy itself" : " of backend " + route_->backend;
    say("call", std::string(found.rpc_path) + whose);
    if (route_->kind != RouteKind::Json) {
      say("message", "is passed on as it comes");
      return;
    }
    slips_ = found.slips;
    for (const Binding& binding : found.bindings) {
      say("field", path_text(*binding.path, binding.map_key) + " = " + json_text(binding.text) + " from the " +
                       (binding.origin == Origin::Path ? "path" : "query (" + binding.name + ")"));
    }
    if (!found.alt.empty()) say("alt", json_text(found.alt) + " is the form of the answer");
    tell_passed_over(found);
    if (route_->plan->is_client_streaming) {
      if (!slips_.empty()) say("report", slips_.text());
      say("message", "one for each of the request's body, which is a stream");
      return;
    }
    say("field", body_text());
    make_message(RequestBindings{std::move(found.bindings), std::move(found.paths)});
  }

  void tell_passed_over(const Found& found) {
    const BindingOptions& options = snapshot_.binding_options[route_->options_index];
    for (const std::string_view key : query_keys(request_.target)) {
      const std::string name = shown_query_key(key);
      const auto is_it = [&](const Binding& binding) { return binding.origin == Origin::Query && binding.name == name; };
      const std::string decoded = decode_query_text(key, options);
      const bool is_alt = !found.alt.empty() && (decoded == "$alt" || decoded == "alt");
      if (!is_alt && std::ranges::none_of(found.bindings, is_it)) {
        say("ignored", "query (" + name + "): " + passed_over_because(decoded, route_->request));
      }
    }
  }

  std::string body_text() const {
    const std::string bytes = "the body (" + std::to_string(request_.body.size()) + " bytes)";
    const RequestShape& shape = route_->request;
    if (shape.body == BodyKind::None) return "none from the body, which the rule does not read";
    if (request_.body.empty()) return "none from the body, which is empty";
    if (shape.body == BodyKind::Field) return path_text(shape.body_field) + " from " + bytes;
    return (shape.path_fields.empty() ? "all from " : "all but the path's from ") + bytes;
  }

  void make_message(RequestBindings bindings) {
    const TranscodeRules rules{.request = &route_->request,
                               .response = &route_->response,
                               .json = &settings().json,
                               .limits = &snapshot_.limits,
                               .schema = route_->schema.get()};
    JsonRequest reader(rules, std::move(bindings));
    std::string framed;
    Status status = read_body(reader);
    if (status.ok()) {
      Conversion conversion = reader.next().value();
      status = conversion.run(framed, nullptr);
      slips_.add(conversion.slips());
    }
    slips_.add(reader.slips());
    if (!status.ok()) {
      refuse(status);
      return;
    }
    if (!slips_.empty()) say("report", slips_.text());
    tell_message(std::string_view(framed).substr(kGrpcPrefixBytes));
  }

  Status read_body(JsonRequest& reader) const {
    const BodyHead head{.content_type = request_.fields.find("content-type"),
                        .content_encoding = request_.fields.find("content-encoding").value_or(""),
                        .content_length = static_cast<int64_t>(request_.body.size())};
    Status status = reader.on_head(head);
    if (status.ok()) status = reader.on_bytes(request_.body);
    reader.on_end();
    return status;
  }

  void tell_message(std::string_view message) {
    ResponseShape whole;
    whole.message = route_->request.message;
    say("message", std::string(whole.message->full_name) + ", " + std::to_string(message.size()) + " bytes");
    std::string json;
    const Status status = wire_to_json({whole, settings().json, snapshot_.limits.response_body}, message, json);
    text_ += status.ok() ? json + "\n" : "(no JSON: " + status.message + ")\n";
  }

  void explain_others() {
    std::string others;
    for (const auto& route : snapshot_.router->routes()) {
      // The RPCs' own paths, which every method has, are of interest to gRPC clients only.
      if (route.get() == route_ || route->backend.empty() || (route->kind == RouteKind::Grpc && !is_grpc_)) continue;
      const BindingOptions& options = snapshot_.binding_options[route->options_index];
      const std::string misfit = misfit_of(*route, route_request(), options);
      others += "  " + route_line(*route) + ": " + (misfit.empty() ? beaten_because(*route) : misfit) + "\n";
    }
    if (!others.empty()) text_ += "\nother routes:\n" + others;
  }

  std::string beaten_because(const Route& route) const {
    if (route_ == nullptr) return "fits";
    if (is_tried_before(route_->match, route.match)) return "fits, but its match is less specific";
    if (route_->method != route.method && route_->label == route.label) return "fits, but the other names the method";
    return "fits, but its template is less specific";
  }

  const Snapshot& snapshot_;
  const ExplainedRequest& request_;
  const Route* route_ = nullptr;
  bool is_grpc_ = false;
  SlipSet slips_;  // let pass, but reported to log and metrics
  bool is_accepted_ = false;
  std::string text_;
};

Status bad_line(std::string message) { return proxy_error(Code::InvalidArgument, std::move(message)); }

bool is_method(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= 'A' && c <= 'Z'; });
}

}  // namespace

Result<ExplainedRequest> parse_request_line(std::string_view line, const std::vector<std::string>& headers,
                                            std::string body) {
  ExplainedRequest request;
  const std::string_view whole = trimmed(line);
  const size_t space = whole.find_first_of(kWhitespace);
  request.method = body.empty() ? "GET" : "POST";
  request.target = trimmed(space == std::string_view::npos ? whole : whole.substr(space));
  if (space != std::string_view::npos) request.method = whole.substr(0, space);
  if (!is_method(request.method) || !request.target.starts_with('/') ||
      request.target.find_first_of(kWhitespace) != std::string::npos) {
    return bad_line("expected a request as 'GET /v1/a?b=c', found '" + std::string(line) + "'");
  }
  for (const std::string& header : headers) {
    const size_t colon = header.find(':');
    if (colon == 0 || colon == std::string::npos) {
      return bad_line("expected a header as 'name: value', found '" + header + "'");
    }
    const std::string_view name = std::string_view(header).substr(0, colon);
    const std::string_view value = trimmed(std::string_view(header).substr(colon + 1));
    if (equal_ignoring_case(name, "host")) {
      request.host = value;
    } else {
      request.fields.add(name, value);
    }
  }
  request.body = std::move(body);
  return request;
}

Explanation explain_request(const Snapshot& snapshot, const ExplainedRequest& request) {
  return Explainer(snapshot, request).explain();
}

}  // namespace transom
