#include "protocol/http_body.h"

#include <algorithm>
#include <cstdint>

#include "base/base64.h"
#include "base/limits.h"
#include "base/text.h"
#include "base/utf8.h"
#include "transcode/wire_reader.h"
#include "transcode/wire_writer.h"

namespace transom {
namespace {

constexpr std::string_view kHttpBody = "google.api.HttpBody";
constexpr uint32_t kContentTypeField = 1;
constexpr uint32_t kDataField = 2;
constexpr uint32_t kExtensionsField = 3;
constexpr uint32_t kTypeUrlField = 1;
// They become header fields, and are bounded like those of a request.
constexpr size_t kExtensionBytesMax = SessionLimits().header_bytes;
constexpr size_t kExtensionOverheadBytes = 32;
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

// Calls on_piece(number, content) for each length-delimited field, until it returns false. False for broken wire too.
template <class OnPiece>
bool walk_pieces(std::string_view wire, OnPiece on_piece) {
  const char* at = wire.data();
  const char* const end = at + wire.size();
  WireTag tag;
  WireValue value;
  while (at < end) {
    if (!read_tag(at, end, tag) || !read_wire_value(at, end, tag, kUnknownGroupDepthMax, value)) {
      return false;
    }
    if (tag.type == WireType::Bytes && !on_piece(tag.number, value.content)) {
      return false;
    }
  }
  return true;
}

bool read_parts(std::string_view wire, HttpBodyParts& parts) {
  return walk_pieces(wire, [&](uint32_t number, std::string_view piece) {
    if (number == kContentTypeField) {
      parts.content_type = piece;
    } else if (number == kDataField) {
      parts.data = piece;
    } else if (number == kExtensionsField) {
      parts.extension_bytes += piece.size() + kExtensionOverheadBytes;
      if (parts.extension_bytes <= kExtensionBytesMax) {
        parts.extensions.push_back(piece);
      }
    }
    return true;
  });
}

// google.protobuf.Any: a type URL, and bytes.
bool is_any(std::string_view wire) {
  bool has_type = false;
  const bool is_read = walk_pieces(wire, [&](uint32_t number, std::string_view piece) {
    if (number == kTypeUrlField) {
      has_type = !piece.empty() && is_valid_utf8(piece);
    }
    return true;
  });
  return is_read && has_type;
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

Result<std::string> read_extensions(const Fields& request) {
  std::string wire;
  bool is_good = true;
  for (const Field field : request) {
    if (field.name == kHttpBodyExtension) {
      each_list_member(field.value, [&](std::string_view text) {
        std::string any;
        is_good = is_good && decode_base64(text, any) && is_any(any);
        append_piece(kExtensionsField, any, wire);
      });
    }
  }
  if (!is_good) {
    return client_error(Code::InvalidArgument, "header " + std::string(kHttpBodyExtension) +
                                                   ": expected the base64 of a google.protobuf.Any with a type URL");
  }
  return wire;
}

Status add_extensions(const HttpBodyParts& parts, Fields& answer) {
  if (parts.extension_bytes > kExtensionBytesMax) {
    return replica_error(Code::Internal, "the replica's HttpBody has extensions over the limit of " +
                                             std::to_string(kExtensionBytesMax) + " bytes");
  }
  std::string text;
  for (const std::string_view extension : parts.extensions) {
    text.clear();
    encode_base64(extension, false, text);
    answer.add(kHttpBodyExtension, text);
  }
  return {};
}

void append_http_body(const RequestShape& shape, const HttpBodyHead& head, std::string_view data, std::string& out) {
  const size_t body_bytes = piece_bytes(head.content_type) + piece_bytes(data) + head.extensions.size();
  out.reserve(out.size() + body_bytes + 16);
  if (shape.body == BodyKind::Field) {
    const FieldPlan& field = *shape.body_field[0];
    out.append(reinterpret_cast<const char*>(field.tag.data()), field.tag_bytes);
    append_varint(body_bytes, out);
  }
  append_piece(kContentTypeField, head.content_type, out);
  append_piece(kDataField, data, out);
  out.append(head.extensions);
}

Result<HttpBodyParts> parse_http_body(const ResponseShape& shape, std::string_view wire) {
  HttpBodyParts parts;
  bool is_read = true;
  if (shape.body_field == nullptr) {
    is_read = read_parts(wire, parts);
  } else {
    is_read = walk_pieces(wire, [&](uint32_t number, std::string_view piece) {
      return number != shape.body_field->number || read_parts(piece, parts);
    });
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
