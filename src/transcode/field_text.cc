#include "transcode/field_text.h"

#include <bit>
#include <optional>
#include <span>

#include "base/limits.h"
#include "transcode/wire_reader.h"

namespace transom {
namespace {

using Path = std::span<const FieldPlan* const>;

// Goes on over what was found before, so that the parts of a split message are merged. False: malformed.
bool find_last(Path path, std::string_view wire, std::optional<WireValue>& found) {
  const char* at = wire.data();
  const char* const end = at + wire.size();
  const FieldPlan& field = *path.front();
  const bool is_last = path.size() == 1;
  while (at < end) {
    WireTag tag;
    WireValue value;
    if (!read_tag(at, end, tag) || !read_wire_value(at, end, tag, kUnknownGroupDepthMax, value)) {
      return false;
    }
    if (tag.number != field.number || tag.type != wire_type_of(field.kind)) {
      continue;
    }
    if (is_last) {
      found = value;
    } else if (!find_last(path.subspan(1), value.content, found)) {
      return false;
    }
  }
  return true;
}

std::string text_of(const FieldPlan& field, const WireValue& value) {
  const auto zigzag = static_cast<int64_t>((value.bits >> 1) ^ (~(value.bits & 1) + 1));
  switch (field.kind) {
    case Kind::String:
      return std::string(value.content);
    case Kind::Bool:
      return value.bits != 0 ? "true" : "false";
    case Kind::Uint32:
    case Kind::Fixed32:
      return std::to_string(static_cast<uint32_t>(value.bits));
    case Kind::Uint64:
    case Kind::Fixed64:
      return std::to_string(value.bits);
    case Kind::Sint32:
      return std::to_string(static_cast<int32_t>(zigzag));
    case Kind::Sint64:
      return std::to_string(zigzag);
    case Kind::Int64:
    case Kind::Sfixed64:
      return std::to_string(static_cast<int64_t>(value.bits));
    default:
      return std::to_string(static_cast<int32_t>(value.bits));
  }
}

}  // namespace

bool has_field_text(const FieldPath& path) {
  const FieldPlan& field = *path.back();
  if (field.is_repeated) {
    return false;
  }
  switch (field.kind) {
    case Kind::Double:
    case Kind::Float:
    case Kind::Bytes:
    case Kind::Message:
    case Kind::Group:
      return false;
    default:
      return true;
  }
}

bool append_field_text(const FieldPath& path, std::string_view wire, std::string& out) {
  const FieldPlan& field = *path.back();
  std::optional<WireValue> found;
  if (!find_last(Path(path.data(), path.size()), wire, found) || (!found.has_value() && field.has_presence)) {
    return false;
  }
  const std::string text = text_of(field, found.value_or(WireValue()));
  out.append(text);
  return !text.empty();
}

}  // namespace transom
