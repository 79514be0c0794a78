#include "protocol/http_body.h"

#include <algorithm>
#include <cstdint>

#include "transcode/wire_writer.h"

namespace transom {
namespace {

constexpr std::string_view kHttpBody = "google.api.HttpBody";
constexpr uint32_t kContentTypeField = 1;
constexpr uint32_t kDataField = 2;
constexpr uint32_t kLengthDelimited = 2;

bool is_http_body(const MessagePlan* message) { return message != nullptr && message->full_name == kHttpBody; }

size_t piece_bytes(std::string_view piece) { return piece.empty() ? 0 : 1 + varint_bytes(piece.size()) + piece.size(); }

void append_piece(uint32_t field, std::string_view piece, std::string& out) {
  if (!piece.empty()) {
    out.push_back(static_cast<char>(field << 3 | kLengthDelimited));
    append_varint(piece.size(), out);
    out.append(piece);
  }
}

// Walks the fields of one message (the protobuf encoding); groups are not read.
class WireWalk {
 public:
  explicit WireWalk(std::string_view wire) : rest_(wire) {}

  // False at the end and when the wire is broken: failed() tells which.
  bool next() {
    uint64_t tag = 0;
    if (rest_.empty() || !take_varint(tag)) {
      return false;
    }
    number_ = static_cast<uint32_t>(tag >> 3);
    is_piece_ = (tag & 7) == kLengthDelimited;
    piece_ = {};
    uint64_t number = 0;
    switch (tag & 7) {
      case 0:
        return take_varint(number);
      case 1:
        return take(8);
      case 5:
        return take(4);
      case kLengthDelimited:
        return take_varint(number) && take(number);
      default:
        return fail();
    }
  }
  bool failed() const { return failed_; }
  bool is_piece_of(uint32_t number) const { return is_piece_ && number_ == number; }
  std::string_view piece() const { return piece_; }

 private:
  bool fail() {
    failed_ = true;
    return false;
  }
  bool take_varint(uint64_t& value) {
    value = 0;
    for (int shift = 0; shift < 70 && !rest_.empty(); shift += 7) {
      const auto byte = static_cast<unsigned char>(rest_.front());
      rest_.remove_prefix(1);
      if (shift < 64) {
        value |= static_cast<uint64_t>(byte & 0x7f) << shift;
      }
      if (byte < 0x80) {
        return true;
      }
    }
    return fail();
  }
  bool take(uint64_t bytes) {
    if (bytes > rest_.size()) {
      return fail();
    }
    piece_ = rest_.substr(0, bytes);
    rest_.remove_prefix(bytes);
    return true;
  }

  std::string_view rest_;
  uint32_t number_ = 0;
  bool is_piece_ = false;
  std::string_view piece_;
  bool failed_ = false;
};

bool read_parts(std::string_view wire, HttpBodyParts& parts) {
  WireWalk walk(wire);
  while (walk.next()) {
    if (walk.is_piece_of(kContentTypeField)) {
      parts.content_type = walk.piece();
    } else if (walk.is_piece_of(kDataField)) {
      parts.data = walk.piece();
    }
  }
  return !walk.failed();
}

// A field-value of RFC 9110 without obs-text: what may stand in a header.
bool is_header_text(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return (c >= ' ' && c <= '~') || c == '\t'; });
}

}  // namespace

bool takes_http_body(const RequestShape& shape) {
  if (shape.body == BodyKind::Whole) {
    return is_http_body(shape.message);
  }
  return shape.body == BodyKind::Field && shape.body_field.size() == 1 && !shape.body_field[0]->is_repeated &&
         is_http_body(shape.body_field[0]->message);
}

bool gives_http_body(const ResponseShape& shape) {
  return shape.body_field == nullptr ? is_http_body(shape.message)
                                     : !shape.body_field->is_repeated && is_http_body(shape.body_field->message);
}

void append_http_body(const RequestShape& shape, std::string_view content_type, std::string_view data,
                      std::string& out) {
  const size_t body_bytes = piece_bytes(content_type) + piece_bytes(data);
  out.reserve(out.size() + body_bytes + 16);
  if (shape.body == BodyKind::Field) {
    const FieldPlan& field = *shape.body_field[0];
    out.append(reinterpret_cast<const char*>(field.tag.data()), field.tag_bytes);
    append_varint(body_bytes, out);
  }
  append_piece(kContentTypeField, content_type, out);
  append_piece(kDataField, data, out);
}

Result<HttpBodyParts> parse_http_body(const ResponseShape& shape, std::string_view wire) {
  HttpBodyParts parts;
  bool is_read = true;
  if (shape.body_field == nullptr) {
    is_read = read_parts(wire, parts);
  } else {
    WireWalk walk(wire);
    while (is_read && walk.next()) {
      if (walk.is_piece_of(shape.body_field->number)) {
        is_read = read_parts(walk.piece(), parts);
      }
    }
    is_read = is_read && !walk.failed();
  }
  if (!is_read) {
    return replica_error(Code::Internal, "the replica's message is malformed");
  }
  if (!is_header_text(parts.content_type)) {
    return replica_error(Code::Internal, "the replica's HttpBody has an invalid content type");
  }
  return parts;
}

}  // namespace transom
