#include "transcode/wire_fault.h"

#include <array>
#include <cstdio>
#include <map>

#include "base/limits.h"
#include "transcode/json_text.h"
#include "transcode/wire_reader.h"
#include "transcode/wire_to_json.h"

namespace transom {
namespace {

std::string hexadecimal(char byte) {
  std::array<char, 8> text{};
  std::snprintf(text.data(), text.size(), "0x%02x", static_cast<unsigned>(static_cast<unsigned char>(byte)));
  return text.data();
}

class FaultFinder {
 public:
  explicit FaultFinder(std::string_view wire) : wire_(wire) {}

  const std::string& fault() const { return fault_; }

  // False once something was found.
  bool look_at(const MessagePlan& message, std::string_view bytes, const std::string& path, int depth_left) {
    std::map<const FieldPlan*, size_t> counts;
    const char* at = bytes.data();
    const char* end = at + bytes.size();
    while (at < end) {
      const char* begin = at;
      WireTag tag;
      if (!read_tag(at, end, tag)) {
        return tell(path, "expected a field's tag, found the byte " + hexadecimal(*begin), begin);
      }
      const FieldPlan* field = message.find_field(tag.number);
      std::string name = path + (path.empty() ? "" : ".");
      name += field == nullptr ? "field " + std::to_string(tag.number) : std::string(field->json_name);
      const bool is_list = field != nullptr && field->is_repeated;
      if (is_list && tag.type == wire_type_of(field->kind)) {
        name += '[';
        name += std::to_string(counts[field]++);
        name += ']';
      }
      WireValue value;
      const char* value_at = at;
      if (!read_wire_value(at, end, tag, depth_left, value)) {
        return tell_cut(name, tag, value_at, end);
      }
      if (field != nullptr && tag.type == WireType::Bytes && !look_inside(*field, value.content, name, depth_left)) {
        return false;
      }
    }
    return true;
  }

 private:
  bool look_inside(const FieldPlan& field, std::string_view content, const std::string& name, int depth_left) {
    if (field.kind == Kind::String) {
      const size_t valid = utf8_valid_bytes(content);
      return valid == content.size() ||
             tell(name, "expected UTF-8, found the byte " + hexadecimal(content[valid]), content.data() + valid);
    }
    if (wire_type_of(field.kind) != WireType::Bytes) {
      return !field.is_repeated || look_at_packed(wire_type_of(field.kind), content, name);
    }
    if (field.kind != Kind::Message || depth_left <= 0) {
      return true;
    }
    if (!look_at(*field.message, content, name, depth_left - 1)) {
      return false;
    }
    return field.message->codec == Codec::Plain || look_at_special(*field.message, content, name);
  }

  bool look_at_packed(WireType type, std::string_view content, const std::string& name) {
    const char* at = content.data();
    const char* end = at + content.size();
    while (at < end) {
      const char* begin = at;
      if (!skip_wire_value(at, end, {1, type}, 0)) {
        return tell(name, "expected whole elements, found " + std::to_string(end - begin) + " bytes of another", begin);
      }
    }
    return true;
  }

  // A well-known type is tried alone, for its values may have no JSON form.
  bool look_at_special(const MessagePlan& message, std::string_view content, const std::string& name) {
    ResponseShape shape;
    shape.message = &message;
    std::string json;
    const Status status = wire_to_json({shape, JsonOptions(), Limits().response_body}, content, json);
    return status.ok() || tell(name, status.message, content.data());
  }

  bool tell_cut(const std::string& name, WireTag tag, const char* value_at, const char* end) {
    const std::string left = std::to_string(end - value_at) + " bytes before the end";
    switch (tag.type) {
      case WireType::Varint:
        return tell(name, "expected a varint of at most 10 bytes, found " + left, value_at);
      case WireType::Fixed32:
        return tell(name, "expected 4 bytes, found " + left, value_at);
      case WireType::Fixed64:
        return tell(name, "expected 8 bytes, found " + left, value_at);
      case WireType::GroupBegin:
        return tell(name, "expected a group with its end, found " + left, value_at);
      case WireType::GroupEnd:
        return tell(name, "expected a value, found the end of a group that did not begin", value_at);
      case WireType::Bytes:
        break;
    }
    const char* at = value_at;
    uint64_t bytes = 0;
    if (!read_varint(at, end, bytes)) {
      return tell(name, "expected a length, found " + left, value_at);
    }
    if (at - value_at > kUint32BytesMax) {
      return tell(name, "expected a length of at most 5 bytes, found one of " + std::to_string(at - value_at), value_at);
    }
    return tell(name,
                "expected " + std::to_string(bytes) + " bytes, found " + std::to_string(end - at) + " before the end",
                value_at);
  }

  bool tell(const std::string& path, const std::string& problem, const char* at) {
    fault_ = path + (path.empty() ? "" : ": ") + problem + " (at byte " + std::to_string(at - wire_.data()) + ")";
    return false;
  }

  const std::string_view wire_;
  std::string fault_;
};

}  // namespace

std::string find_wire_fault(const MessagePlan& message, std::string_view wire) {
  FaultFinder finder(wire);
  finder.look_at(message, wire, "", Limits().json_depth);
  return finder.fault();
}

}  // namespace transom
