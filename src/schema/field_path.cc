#include "schema/field_path.h"

#include <string>

#include "base/limits.h"

namespace transom {
namespace {

std::string quoted(std::string_view part) { return "`" + std::string(part) + "`"; }

Status no_such_field(const MessagePlan& message, std::string_view part) {
  return client_error(Code::NotFound, std::string(message.full_name) + " has no field " + quoted(part));
}

Status not_a_message(const FieldPlan& field) {
  const char* what = field.is_map               ? "is a map"
                     : field.is_repeated        ? "is repeated"
                     : field.message != nullptr ? "is a group"
                                                : "is not a message";
  return client_error(Code::InvalidArgument, quoted(field.proto_name) + " " + what + ", its fields cannot be named");
}

}  // namespace

Result<FieldPath> resolve_field_path(const MessagePlan& message, std::string_view dotted) {
  FieldPath path;
  const MessagePlan* at = &message;
  while (true) {
    const size_t dot = dotted.find('.');
    const std::string_view part = dotted.substr(0, dot);
    const FieldPlan* field = at->find_field(part);
    if (field == nullptr) {
      return no_such_field(*at, part);
    }
    if (path.size() == kFieldPathPartsMax) {
      return client_error(Code::InvalidArgument,
                          "a field path has at most " + std::to_string(kFieldPathPartsMax) + " parts");
    }
    path.push_back(field);
    if (dot == std::string_view::npos) {
      return path;
    }
    if (field->kind != Kind::Message || field->is_repeated) {
      return not_a_message(*field);
    }
    at = field->message;
    dotted.remove_prefix(dot + 1);
  }
}

std::string format_field_path(const FieldPath& path) {
  std::string dotted;
  for (const FieldPlan* field : path) {
    if (!dotted.empty()) {
      dotted += '.';
    }
    dotted += field->proto_name;
  }
  return dotted;
}

}  // namespace transom
