#include "conformance/messages.h"

#include <cstdint>

namespace transom {
namespace {

struct WireField {
  uint64_t number = 0;
  uint64_t value = 0;      // of a varint
  std::string_view bytes;  // of what is led by its length
};

bool take_varint(std::string_view& bytes, uint64_t& value) {
  value = 0;
  for (int shift = 0; shift < 64 && !bytes.empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
    value |= static_cast<uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80) {
      return true;
    }
  }
  return false;
}

// False when what comes next is no field, or of a wire type that these messages do not use.
bool take_field(std::string_view& bytes, WireField& field) {
  uint64_t tag = 0;
  if (!take_varint(bytes, tag) || !take_varint(bytes, field.value)) {
    return false;
  }
  field.number = tag >> 3;
  if ((tag & 7) == 0) {
    return true;
  }
  if ((tag & 7) != 2 || field.value > bytes.size()) {
    return false;
  }
  field.bytes = bytes.substr(0, field.value);
  bytes.remove_prefix(field.value);
  return true;
}

void append_varint(std::string& out, uint64_t value) {
  for (; value >= 0x80; value >>= 7) {
    out += static_cast<char>(value | 0x80);
  }
  out += static_cast<char>(value);
}

void set_payload(Question& question, Format format, std::string_view bytes) {
  question.input = format;
  question.payload = bytes;
}

}  // namespace

std::optional<Question> read_question(std::string_view bytes) {
  Question question;
  while (!bytes.empty()) {
    WireField field;
    if (!take_field(bytes, field)) {
      return std::nullopt;
    }
    switch (field.number) {
      case 1:
        set_payload(question, Format::Protobuf, field.bytes);
        break;
      case 2:
        set_payload(question, Format::Json, field.bytes);
        break;
      case 3:
        question.output = static_cast<Format>(field.value);
        break;
      case 4:
        question.message_type = field.bytes;
        break;
      case 5:
        question.ignores_unknown_fields = field.value == 3;
        break;
      case 7:
        set_payload(question, Format::Jspb, field.bytes);
        break;
      case 8:
        set_payload(question, Format::Text, field.bytes);
        break;
      default:
        break;
    }
  }
  return question;
}

std::string write_reply(const Reply& reply) {
  std::string out;
  append_varint(out, static_cast<uint64_t>(reply.kind) << 3 | 2);
  append_varint(out, reply.payload.size());
  return out + reply.payload;
}

}  // namespace transom
