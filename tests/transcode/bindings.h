// A request with values bound by its path and query, for tests.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "base/padded_text.h"
#include "schema/field_path.h"
#include "transcode/transcoding.h"

namespace transom {

class BoundRequest {
 public:
  explicit BoundRequest(const std::string& message = "kinds.All") : message_(message) {
    shape_.message = &plan_of(message);
  }

  void path(std::string_view field, std::string text) {
    add(field, std::move(text), Origin::Path);
    shape_.path_fields.push_back(paths_.back());
  }
  void query(std::string_view field, std::string text, std::string map_key = "") {
    add(field, std::move(text), Origin::Query);
    bindings_.back().map_key = std::move(map_key);
  }
  void body(std::string json) {
    shape_.body = BodyKind::Whole;
    json_ = std::move(json);
  }
  void body_field(std::string_view field, std::string json) {
    shape_.body = BodyKind::Field;
    shape_.body_field = resolve_field_path(*shape_.message, field).value();
    json_ = std::move(json);
  }
  void mask(std::string_view field) { shape_.mask = shape_.message->find_field(field); }
  // A body that the rule does not take.
  void ignored_body(std::string json) { json_ = std::move(json); }

  // The message as JSON, or the problem.
  std::string answer() {
    pad_for_json(json_);
    std::string wire;
    Status status = json_to_wire({shape_, bindings_, options, bytes_max}, json_, wire);
    if (!status.ok()) {
      return status.message;
    }
    return Transcoding{.message = message_}.to_json(wire).bytes;
  }

  // The wMask of the answer, or the answer when it has none.
  std::string mask_of_answer() {
    const std::string text = answer();
    const std::string member = "\"wMask\":\"";
    const size_t at = text.find(member);
    return at == std::string::npos ? text : text.substr(at + member.size(), text.find('"', at + member.size()) - at - member.size());
  }

  JsonOptions options;
  size_t bytes_max = size_t{1} << 20;

 private:
  void add(std::string_view field, std::string text, Origin origin) {
    paths_.push_back(resolve_field_path(*shape_.message, field).value());
    bindings_.push_back({&paths_.back(), origin, std::move(text), "", std::string(field)});
  }

  std::string message_;
  RequestShape shape_;
  std::deque<FieldPath> paths_;
  std::vector<Binding> bindings_;
  std::string json_;
};

}  // namespace transom
