#include "local/wire_fields.h"

#include "base/limits.h"
#include "transcode/wire_reader.h"
#include "transcode/wire_writer.h"

namespace transom {
namespace {

void append_tag(std::string& out, uint32_t number, WireType type) {
  append_varint(uint64_t{number} << 3 | static_cast<uint64_t>(type), out);
}

}  // namespace

bool read_wire_fields(std::string_view message, std::vector<WireField>& fields) {
  const char* at = message.data();
  const char* end = at + message.size();
  while (at < end) {
    WireTag tag;
    WireValue value;
    if (!read_tag(at, end, tag) || !read_wire_value(at, end, tag, kUnknownGroupDepthMax, value)) {
      return false;
    }
    if (tag.type == WireType::Varint || tag.type == WireType::Bytes) {
      fields.push_back({tag.number, tag.type == WireType::Bytes, value.bits, value.content});
    }
  }
  return true;
}

void append_text_field(std::string& out, uint32_t number, std::string_view text) {
  append_tag(out, number, WireType::Bytes);
  append_varint(text.size(), out);
  out.append(text);
}

void append_varint_field(std::string& out, uint32_t number, uint64_t value) {
  append_tag(out, number, WireType::Varint);
  append_varint(value, out);
}

}  // namespace transom
