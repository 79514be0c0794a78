#include "transcode/json_parse.h"

namespace transom {
namespace {

// A path is for a person; hostile nesting must not make it long.
constexpr size_t kPathBytesMax = 400;

void put_in_front(std::string_view part, std::string& path) {
  if (path.size() + part.size() > kPathBytesMax) {
    return;
  }
  bool needs_dot = !path.empty() && path.front() != '[';
  path.insert(0, std::string(part) + (needs_dot ? "." : ""));
}

}  // namespace

bool JsonParse::leave_member(std::string_view name) {
  put_in_front(name, path);
  return false;
}

bool JsonParse::leave_element(size_t index) {
  std::string part("[");
  part += std::to_string(index);
  part += ']';
  put_in_front(part, path);
  return false;
}

bool JsonParse::leave_key(std::string_view key) {
  std::string part("[\"");
  part += key.substr(0, 64);
  part += "\"]";
  put_in_front(part, path);
  return false;
}

Status JsonParse::failure() const {
  if (is_cancelled) {
    return client_error(Code::Cancelled, "the request was cancelled");
  }
  if (in.has_failed() && binding != nullptr) {
    const char* part = binding->origin == Origin::Path ? "path variable " : "query parameter ";
    return client_error(Code::InvalidArgument, part + binding->name.substr(0, 200) + ": " + in.problem());
  }
  if (in.has_failed()) {
    std::string text = path.empty() ? "" : path + ": ";
    text += in.problem() + " (at byte " + std::to_string(in.problem_offset()) + ")";
    return client_error(Code::InvalidArgument, std::move(text));
  }
  return client_error(Code::ResourceExhausted, "the message is larger than this server takes", 413);
}

}  // namespace transom
