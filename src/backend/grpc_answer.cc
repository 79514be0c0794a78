#include "backend/grpc_answer.h"

#include <array>
#include <charconv>

#include "base/base64.h"

namespace transom {
namespace {

constexpr std::string_view kGrpcContentType = "application/grpc";

// RFC 9113 section 7, by number.
constexpr std::array<std::string_view, 14> kResetNames{"NO_ERROR",
                                                       "PROTOCOL_ERROR",
                                                       "INTERNAL_ERROR",
                                                       "FLOW_CONTROL_ERROR",
                                                       "SETTINGS_TIMEOUT",
                                                       "STREAM_CLOSED",
                                                       "FRAME_SIZE_ERROR",
                                                       "REFUSED_STREAM",
                                                       "CANCEL",
                                                       "COMPRESSION_ERROR",
                                                       "CONNECT_ERROR",
                                                       "ENHANCE_YOUR_CALM",
                                                       "INADEQUATE_SECURITY",
                                                       "HTTP_1_1_REQUIRED"};

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::string decode_percent(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    int high = text[i] == '%' && i + 2 < text.size() ? hex_digit(text[i + 1]) : -1;
    int low = high >= 0 ? hex_digit(text[i + 2]) : -1;
    if (low < 0) {
      out.push_back(text[i]);
      continue;
    }
    out.push_back(static_cast<char>(high * 16 + low));
    i += 2;
  }
  return out;
}

// How many bytes the well-formed sequence at the front has (Unicode table 3-7); 0 if it is not well-formed.
size_t utf8_length(std::string_view text) {
  auto byte = [&](size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  auto is_tail = [&](size_t i) { return (byte(i) & 0xC0U) == 0x80U; };
  unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return is_tail(1) ? 2 : 0;
  if (lead >= 0xE0 && lead <= 0xEF) {
    unsigned low = lead == 0xE0 ? 0xA0 : 0x80;
    unsigned high = lead == 0xED ? 0x9F : 0xBF;
    return byte(1) >= low && byte(1) <= high && is_tail(2) ? 3 : 0;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    unsigned low = lead == 0xF0 ? 0x90 : 0x80;
    unsigned high = lead == 0xF4 ? 0x8F : 0xBF;
    return byte(1) >= low && byte(1) <= high && is_tail(2) && is_tail(3) ? 4 : 0;
  }
  return 0;
}

bool is_control(char c) { return (c >= 0 && c < 0x20 && c != '\n' && c != '\t') || c == 0x7F; }

Status malformed(const std::string& replica, const std::string& what) {
  return replica_error(Code::Unknown, "replica " + replica + ": " + what);
}

}  // namespace

bool is_grpc_content_type(std::string_view content_type) {
  if (!equal_ignoring_case(content_type.substr(0, kGrpcContentType.size()), kGrpcContentType)) {
    return false;
  }
  std::string_view rest = content_type.substr(kGrpcContentType.size());
  return rest.empty() || rest.front() == '+' || rest.front() == ';' || rest.front() == ' ';
}

Code code_of_answer_status(int http_status) {
  switch (http_status) {
    case 400:
    case 431:
      return Code::Internal;
    case 401:
      return Code::Unauthenticated;
    case 403:
      return Code::PermissionDenied;
    case 404:
      return Code::Unimplemented;
    case 429:
    case 502:
    case 503:
    case 504:
      return Code::Unavailable;
    default:
      return Code::Unknown;
  }
}

Code code_of_reset(uint32_t h2_error) {
  switch (h2_error) {
    case 7:  // REFUSED_STREAM
      return Code::Unavailable;
    case 8:  // CANCEL
      return Code::Cancelled;
    case 11:  // ENHANCE_YOUR_CALM
      return Code::ResourceExhausted;
    case 12:  // INADEQUATE_SECURITY
      return Code::PermissionDenied;
    default:
      return Code::Internal;
  }
}

std::string reset_name(uint32_t h2_error) {
  return h2_error < kResetNames.size() ? std::string(kResetNames[h2_error]) : std::to_string(h2_error);
}

std::string decode_grpc_message(std::string_view text) {
  std::string bytes = decode_percent(text);
  std::string out;
  out.reserve(bytes.size());
  for (std::string_view rest = bytes; !rest.empty();) {
    size_t length = utf8_length(rest);
    if (length == 0) {
      out.append("\xEF\xBF\xBD");  // U+FFFD
      length = 1;
    } else {
      out.append(rest.substr(0, length));
    }
    rest.remove_prefix(length);
  }
  return out;
}

std::string legible_text(std::string_view text) {
  std::string out = decode_grpc_message(text);
  std::erase_if(out, is_control);
  return out;
}

Status take_grpc_status(Fields& trailers, const std::string& replica) {
  std::optional<std::string_view> text = trailers.find("grpc-status");
  if (!text) {
    return malformed(replica, "ended the answer without a grpc-status");
  }
  int32_t code = 0;
  auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), code);
  bool is_number = error == std::errc() && end == text->data() + text->size() && code >= 0;
  if (code == 0 && is_number) {
    trailers.remove("grpc-status");
    trailers.remove("grpc-message");
    trailers.remove("grpc-status-details-bin");
    return {};
  }
  Status status = is_number ? replica_error(static_cast<Code>(code), "")
                            : malformed(replica, "malformed grpc-status: " + legible_text(text->substr(0, 32)));
  if (std::optional<std::string_view> message = trailers.find("grpc-message"); is_number && message) {
    status.message = decode_grpc_message(*message);
  }
  if (std::optional<std::string_view> details = trailers.find("grpc-status-details-bin"); is_number && details) {
    decode_base64(*details, status.details);
  }
  trailers.remove("grpc-status");
  trailers.remove("grpc-message");
  trailers.remove("grpc-status-details-bin");
  return status;
}

}  // namespace transom
