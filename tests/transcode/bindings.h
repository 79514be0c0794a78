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
  // A body that the rule does not take.
  void ignored_body(std::string json) { json_ = std::move(json); }

  // The message as JSON, or the problem.
  std::string answer() {
    pad_for_json(json_);
    std::string wire;
    Status status = json_to_wire({shape_, bindings_, options, size_t{1} << 20}, json_, wire);
    if (!status.ok()) {
      return status.message;
    }
    return Transcoding{.message = message_}.to_json(wire).bytes;
  }

  JsonOptions options;

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
