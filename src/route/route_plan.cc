#include "route/route_plan.h"

#include <algorithm>

#include "base/limits.h"
#include "base/text.h"
#include "schema/field_path.h"

namespace transom {
namespace {

Status refused(std::string message) { return proxy_error(Code::InvalidArgument, std::move(message)); }

std::string quoted(std::string_view text) { return "`" + std::string(text) + "`"; }

Result<FieldPath> resolve_variable(const MessagePlan& message, const std::string& field) {
  auto path = resolve_field_path(message, field);
  if (!path.ok()) {
    return refused("variable " + quoted(field) + ": " + path.status().message);
  }
  const FieldPlan& last = *path->back();
  const char* kind = last.is_map               ? "a map"
                     : last.is_repeated        ? "repeated"
                     : last.message != nullptr ? "a message"
                                               : nullptr;
  if (kind != nullptr) {
    return refused("variable " + quoted(field) + ": the field is " + kind + ", a path binds single values only");
  }
  return path;
}

// Two paths that cannot both be set: the same, or two members of one oneof.
bool exclude_each_other(const FieldPath& a, const FieldPath& b) {
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    if (a[i] != b[i]) {
      return a[i]->oneof >= 0 && a[i]->oneof == b[i]->oneof;
    }
  }
  return true;
}

Status bind_variables(RoutePlan& plan) {
  RequestShape& shape = plan.route->request;
  if (plan.path.variables.size() > kPathFieldsMax) {
    return refused("a path binds at most " + std::to_string(kPathFieldsMax) + " fields");
  }
  for (const TemplateVariable& variable : plan.path.variables) {
    auto path = resolve_variable(*shape.message, variable.field);
    if (!path.ok()) {
      return path.status();
    }
    for (const FieldPath& other : shape.path_fields) {
      if (exclude_each_other(other, *path)) {
        return refused("variable " + quoted(variable.field) + " and variable " + quoted(format_field_path(other)) +
                       " set the same field or the same oneof");
      }
    }
    shape.path_fields.push_back(std::move(*path));
  }
  return {};
}

Status set_body(const std::string& body, RequestShape& shape) {
  if (body.empty()) {
    shape.body = BodyKind::None;
    return {};
  }
  if (body == "*") {
    shape.body = BodyKind::Whole;
    return {};
  }
  const FieldPlan* field = shape.message->find_field(body);
  if (field == nullptr) {
    return refused("body: " + std::string(shape.message->full_name) + " has no field " + quoted(body));
  }
  const FieldPath path = {field};
  if (std::ranges::find(shape.path_fields, path) != shape.path_fields.end()) {
    return refused("body: the path binds the field " + quoted(body) + " already");
  }
  shape.body = BodyKind::Field;
  shape.body_field = path;
  return {};
}

// What AIP-134 asks for: PATCH, one message as the body, and one FieldMask beside it.
const FieldPlan* find_mask(const HttpRule& rule, const RequestShape& shape) {
  if (rule.method != "PATCH" || shape.body != BodyKind::Field) {
    return nullptr;
  }
  const FieldPlan& body = *shape.body_field.back();
  if (body.kind != Kind::Message || body.is_repeated || body.message->codec != Codec::Plain) {
    return nullptr;
  }
  const FieldPlan* mask = nullptr;
  for (const FieldPlan& field : shape.message->fields) {
    if (field.kind == Kind::Message && field.message->codec == Codec::FieldMask) {
      if (mask != nullptr || field.is_repeated || field.oneof >= 0) {
        return nullptr;
      }
      mask = &field;
    }
  }
  return mask;
}

Status set_response_body(const std::string& body, ResponseShape& shape) {
  if (body.empty() || body == "*") {
    return {};
  }
  shape.body_field = shape.message->find_field(body);
  if (shape.body_field == nullptr) {
    return refused("response_body: " + std::string(shape.message->full_name) + " has no field " + quoted(body));
  }
  return {};
}

}  // namespace

std::shared_ptr<const TopPaths> make_top_paths(const MessagePlan& message) {
  auto paths = std::make_shared<TopPaths>();
  for (const FieldPlan& field : message.fields) {
    paths->push_back({&field});
  }
  return paths;
}

Status apply_rule(const HttpRule& rule, RoutePlan& plan) {
  Route& route = *plan.route;
  if (!is_token(rule.method)) {
    return refused("the rule names no HTTP method");
  }
  auto path = parse_path_template(rule.path);
  if (!path.ok()) {
    return path.status();
  }
  plan.path = std::move(*path);
  route.request.message = route.plan->input;
  route.response.message = route.plan->output;
  if (Status status = bind_variables(plan); !status.ok()) {
    return status;
  }
  if (Status status = set_body(rule.body, route.request); !status.ok()) {
    return status;
  }
  route.request.mask = find_mask(rule, route.request);
  route.frames = route.request;
  route.frames.mask = nullptr;
  if (route.frames.body == BodyKind::None) {
    route.frames.body = BodyKind::Whole;
  }
  return set_response_body(rule.response_body, route.response);
}

}  // namespace transom
