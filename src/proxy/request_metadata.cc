#include "proxy/request_metadata.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/base64.h"
#include "base/text.h"
#include "compress/gzip.h"

namespace transom {
namespace {

// RFC 9110 section 7.6.1, and what HTTP itself says of a message on one hop.
bool is_of_one_hop(std::string_view name) {
  switch (name.size()) {
    case 2:
      return name == "te";
    case 7:
      return name == "trailer" || name == "upgrade";
    case 10:
      return name == "connection" || name == "keep-alive";
    case 14:
      return name == "content-length" || name == "http2-settings";
    case 16:
      return name == "proxy-connection" || name == "content-encoding";
    case 17:
      return name == "transfer-encoding";
    case 18:
      return name == "proxy-authenticate";
    case 19:
      return name == "proxy-authorization";
    default:
      return false;
  }
}

// The handshake's own (RFC 6455 section 11.3).
bool is_of_web_socket(std::string_view name) { return name.starts_with("sec-websocket-"); }

// What the call sets itself, or means something else there.
bool is_set_by_call(std::string_view name) {
  switch (name.size()) {
    case 4:
      return name == "host";
    case 6:
      return name == "expect";
    case 12:
      return name == "content-type" || name == "x-request-id";
    case 15:
      return name == "accept-encoding" || name == "x-forwarded-for";
    default:
      return false;
  }
}

bool is_set_by_answer(std::string_view name) {
  return name == "content-type" || name == "x-request-id" || name == "date";
}

bool says_status(std::string_view name) {
  return name == "grpc-status" || name == "grpc-message" || name == "grpc-status-details-bin";
}

// Names of gRPC's own: none of a JSON client's is meant for it.
bool is_reserved_grpc(std::string_view name, bool is_grpc) {
  return name.starts_with("grpc-") && (!is_grpc || name == "grpc-timeout" || says_status(name));
}

// Header-Name of the gRPC HTTP/2 protocol.
bool is_metadata_name(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
  });
}

// The pieces between commas, trimmed; one empty piece for "".
class CommaList {
 public:
  explicit CommaList(std::string_view text) : rest_(text) {}
  bool next(std::string_view& piece) {
    if (is_done_) {
      return false;
    }
    const size_t comma = rest_.find(',');
    piece = trim(rest_.substr(0, comma));
    is_done_ = comma == std::string_view::npos;
    rest_ = is_done_ ? std::string_view() : rest_.substr(comma + 1);
    return true;
  }

 private:
  std::string_view rest_;
  bool is_done_ = false;
};

// Names that Connection lists are of this hop too.
std::vector<std::string_view> names_in_connection_field(const Fields& fields) {
  std::vector<std::string_view> names;
  for (const Field field : fields) {
    if (field.name == "connection") {
      CommaList list(field.value);
      for (std::string_view name; list.next(name);) {
        names.push_back(name);
      }
    }
  }
  return names;
}

bool is_listed(const std::vector<std::string_view>& names, std::string_view name) {
  return std::any_of(names.begin(), names.end(), [&](std::string_view other) { return equal_ignoring_case(name, other); });
}

// A server of the C core refuses joined binary values, so each goes as a field of its own.
Status add_binary(const Field& field, Fields& metadata) {
  CommaList list(field.value);
  for (std::string_view piece; list.next(piece);) {
    std::string bytes;
    if (!decode_base64(piece, bytes)) {
      return client_error(Code::InvalidArgument, "header " + std::string(field.name) + " is not base64");
    }
    std::string text;
    encode_base64(bytes, false, text);
    metadata.add(field.name, text);
  }
  return {};
}

}  // namespace

Status fill_call_metadata(const MetadataSource& source, Fields& metadata) {
  const std::vector<std::string_view> listed = names_in_connection_field(source.fields);
  for (const Field field : source.fields) {
    if (is_of_one_hop(field.name) || is_set_by_call(field.name) || is_of_web_socket(field.name) || is_reserved_grpc(field.name, source.is_grpc) ||
        !is_metadata_name(field.name) || (!listed.empty() && is_listed(listed, field.name))) {
      continue;
    }
    if (!field.name.ends_with("-bin")) {
      metadata.add(field.name, field.value);
    } else if (Status status = add_binary(field, metadata); !status.ok()) {
      return status;
    }
  }
  metadata.add("x-request-id", source.request_id);
  if (source.client.find_first_of(".:") != std::string_view::npos) {
    metadata.add("x-forwarded-for", source.client);
  }
  return {};
}

void add_codings(bool is_gzip_sent, Fields& metadata) {
  metadata.add("grpc-accept-encoding", kReadableCodings);
  if (is_gzip_sent) {
    metadata.add("grpc-encoding", "gzip");
  }
}

void fill_answer_fields(const Fields& metadata, bool is_grpc, Fields& fields) {
  for (const Field field : metadata) {
    if (!is_of_one_hop(field.name) && !is_set_by_answer(field.name) && !is_reserved_grpc(field.name, is_grpc)) {
      fields.add(field.name, field.value);
    }
  }
}

}  // namespace transom
