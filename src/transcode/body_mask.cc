#include "transcode/body_mask.h"

#include <algorithm>
#include <string>

#include "transcode/bind_values.h"

namespace transom {
namespace {

constexpr uint8_t kPathsTag = 0x0a;  // google.protobuf.FieldMask, field 1

class Walk {
 public:
  Walk(JsonParse& parse, const JsonToWire& job, std::string_view text)
      : parse_(parse),
        shape_(job.shape),
        is_deep_(job.options.patch_mask == PatchMask::Leaves),
        in_(text, job.options.depth_max),
        here_(job.shape.body_field) {}

  bool walk() { return walk_object(*here_.back()->message); }

 private:
  // At '{'.
  bool walk_object(const MessagePlan& plan) {
    in_.peek();
    in_.skip();
    for (bool is_first = true; !in_.take('}'); is_first = false) {
      if ((!is_first && !in_.take(',')) || in_.peek() != '"' || !walk_member(plan)) {
        return false;
      }
    }
    return true;
  }

  bool walk_member(const MessagePlan& plan) {
    std::string_view name;
    if (!in_.read_text(name, scratch_)) {
      return false;
    }
    const FieldPlan* field = plan.find_field(name);
    if (!in_.take(':')) {
      return false;
    }
    if (field == nullptr) {
      return in_.skip_value();
    }
    here_.push_back(field);
    const size_t parent_bytes = path_.size();
    path_.append(path_.empty() ? "" : ".").append(field->proto_name);
    const bool ok = is_bound() ? in_.skip_value() : walk_value(*field);
    path_.resize(parent_bytes);
    here_.pop_back();
    return ok;
  }

  bool walk_value(const FieldPlan& field) {
    const bool has_members = field.kind == Kind::Message && !field.is_repeated && field.message->codec == Codec::Plain;
    if (is_deep_ && has_members && in_.peek() == '{' && !is_empty_object()) {
      return walk_object(*field.message);
    }
    return write_path() && in_.skip_value();
  }

  bool is_empty_object() {
    const char* at = in_.at();
    in_.skip();
    const bool is_empty = in_.peek() == '}';
    in_.set_at(at);
    return is_empty;
  }

  // Whether the path binds this field, or a message around it.
  bool is_bound() const {
    return std::ranges::any_of(shape_.path_fields, [&](const FieldPath& bound) {
      return bound.size() <= here_.size() && overlaps(bound, here_);
    });
  }

  bool write_path() {
    if (!parse_.out.reserve(kScalarBytesMax + path_.size())) {
      return false;
    }
    parse_.out.byte(kPathsTag);
    parse_.out.varint(path_.size());
    parse_.out.bytes(path_);
    return true;
  }

  JsonParse& parse_;
  const RequestShape& shape_;
  const bool is_deep_;
  JsonReader in_;
  FieldPath here_;
  std::string path_;
  std::string scratch_;
};

}  // namespace

bool wants_body_mask(const JsonToWire& job) {
  const auto is_of_mask = [&](const Binding& binding) { return binding.path->front() == job.shape.mask; };
  return job.shape.mask != nullptr && job.options.patch_mask != PatchMask::None &&
         std::ranges::none_of(job.bindings, is_of_mask);
}

bool write_body_mask(JsonParse& parse, const JsonToWire& job, std::string_view text) {
  if (!parse.out.reserve(kScalarBytesMax)) {
    return false;
  }
  parse.out.tag(*job.shape.mask);
  const size_t mark = parse.out.begin();
  if (!Walk(parse, job, text).walk()) {
    return false;
  }
  parse.out.end(mark);
  return true;
}

}  // namespace transom
